"""A web receiver for tests: serve-https.py FOLDER MODE. Makes a certificate authority of its own in FOLDER (ca.pem), says its port on standard
error, and writes each connection to FOLDER/connections.txt and each body it takes to FOLDER/body-N.txt.

MODE: tls, or refusing (takes the connection and hangs up on whoever begins with TLS)."""
import http.server, signal, ssl, sys

import certificates

# Whoever starts it may have blocked the signal that ends it.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
folder, mode = sys.argv[1], sys.argv[2]
bodies = 0


class Receiver(http.server.BaseHTTPRequestHandler):
    def setup(self):
        with open(folder + "/connections.txt", "a") as connections:
            connections.write("connected\n")
        self.request.settimeout(60)
        if mode == "refusing":
            self.request.recv(1)
            self.request.close()
        else:
            self.request = context.wrap_socket(self.request, server_side=True)
        super().setup()

    def do_POST(self):
        global bodies
        bodies += 1
        with open(folder + "/body-%d.txt" % bodies, "wb") as out:
            out.write(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client):
        if not isinstance(sys.exc_info()[1], (OSError, ssl.SSLError)):
            super().handle_error(request, client)


context = certificates.context(folder)
server = Server(("127.0.0.1", 0), Receiver)
with open(folder + "/port", "w") as port:
    port.write(str(server.server_address[1]))
print("listening", file=sys.stderr, flush=True)
server.serve_forever()
