"""A mail server for tests: serve-smtp.py FOLDER MODE. Makes a certificate authority of its own in FOLDER (ca.pem), says its port on standard
error, and writes each mail it takes to FOLDER/mail-N.txt and each command to FOLDER/commands.txt.

MODE: tls (STARTTLS offered), plain (not offered), unwilling (offered, and then refused), smtps (TLS from the first byte), denying (no password is
right), busy (the first mail is answered 451), silent (the first mail is kept, and never answered)."""
import signal, socket, sys, threading

import certificates

# Whoever starts it may have blocked the signal that ends it.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
folder, mode = sys.argv[1], sys.argv[2]


context = certificates.context(folder)
lock, mails = threading.Lock(), 0


def serve(connection):
    global mails
    secure = mode == "smtps"
    if secure:
        connection = context.wrap_socket(connection, server_side=True)
    stream = connection.makefile("rwb", buffering=0)

    def say(line):
        stream.write((line + "\r\n").encode())

    say("220 test")
    while True:
        line = stream.readline()
        if not line:
            return
        word = line.decode("utf-8", "replace").strip()
        with lock, open(folder + "/commands.txt", "a") as commands:
            commands.write(("tls " if secure else "clear ") + word + "\n")
        verb = word.split(" ")[0].upper()
        if verb == "EHLO":
            say("250-test")
            if mode != "plain" and not secure:
                say("250-STARTTLS")
            say("250 AUTH PLAIN" if secure or mode == "plain" else "250 8BITMIME")
        elif verb == "STARTTLS" and mode == "unwilling":
            say("454 no TLS today")
        elif verb == "STARTTLS" and mode != "plain":
            say("220 go")
            connection = context.wrap_socket(connection, server_side=True)
            stream, secure = connection.makefile("rwb", buffering=0), True
        elif verb == "AUTH":
            if len(word.split(" ")) < 3:
                say("334 ")
                stream.readline()
            say("535 no" if mode == "denying" else "235 welcome")
        elif verb == "DATA":
            say("354 go")
            mail = b""
            while not mail.endswith(b"\r\n.\r\n"):
                piece = stream.readline()
                if not piece:
                    return
                mail += piece
            with lock:
                mails += 1
                number = mails
            if mode == "busy" and number == 1:
                say("451 later")
                continue
            with open(folder + "/mail-%d.txt" % number, "wb") as out:
                out.write(mail[:-3])
            if mode == "silent" and number == 1:
                stream.read()
                return
            say("250 taken")
        elif verb == "QUIT":
            say("221 bye")
            return
        else:
            say("250 fine")


def guarded(connection):
    try:
        serve(connection)
    except OSError:
        pass
    finally:
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
with open(folder + "/port", "w") as port:
    port.write(str(listener.getsockname()[1]))
print("listening", file=sys.stderr, flush=True)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=guarded, args=(accepted,), daemon=True).start()
