"""Serves localstripe on a free port of 127.0.0.1, says which on its first line, and ends when its standard input does.

Its application is served as it is. Its own command would listen on every address, at a port chosen beforehand, and keep its objects in a file
under /tmp that the next one reads; this neither writes nor reads it.
"""
import os
import socket
import sys
import threading

from aiohttp import web
from localstripe.resources import Store
from localstripe.server import app


def end_with_input():
    sys.stdin.read()
    os._exit(0)


Store.dump_to_disk = lambda self: None
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(128)  # before the port is told: whoever reads it may connect at once
threading.Thread(target=end_with_input, daemon=True).start()
print(listener.getsockname()[1], flush=True)
web.run_app(app, sock=listener, print=None, handle_signals=False)
