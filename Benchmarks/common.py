"""What the benchmarks share: a server started on free ports, a provider token, a load of pushes, CPU and memory read
from /proc. Linux only. Needs h2load (nghttp2-client), cc, libnghttp2-dev, libssl-dev and openssl."""
import base64
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent / ".build" / "release" / "mock-apns"
TOPIC = "com.example.app"
DEVICE = "ab" * 32

# About 400 bytes with every kind of member that an ordinary alert has.
PAYLOAD = {
    "aps": {
        "alert": {"title": "Your table is ready", "subtitle": "Trattoria Roma", "body": "Please come to the desk within ten minutes"},
        "badge": 3, "sound": "default", "category": "TABLE_READY", "thread-id": "booking-8841",
        "mutable-content": 1, "interruption-level": "time-sensitive", "relevance-score": 0.8,
    },
    "bookingId": "8841", "restaurantId": "roma-17", "kind": "ready", "photo": "https://cdn.example.com/roma/17.jpg",
}


class Server:
    """A running mock-apns and where to reach it."""

    def __init__(self, process, facts):
        self.process, self.facts = process, facts
        self.pid = process.pid
        self.port = facts["apns"]["port"]
        self.url = f"https://127.0.0.1:{self.port}"


@contextlib.contextmanager
def server(*flags, program=PROGRAM, certs=None, log="off"):
    """Runs the program on free ports; ends it by closing its standard input."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program), "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--ready", "json",
                   "--exit-on-stdin-close", "--certs", str(certs or pathlib.Path(folder) / "certs"),
                   "--log", log if log == "off" else str(pathlib.Path(folder) / log), "-q", *flags]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield Server(process, json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(10)


@contextlib.contextmanager
def floor(certificate, key, *runner):
    """Runs the floor program, under another program when one is given; yields its process and port."""
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "floor"
        subprocess.run(["cc", "-O2", str(HERE / "floor.c"), "-o", str(binary), "-lnghttp2", "-lssl", "-lcrypto"], check=True)
        process = subprocess.Popen([*runner, binary, certificate, key], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(60)


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def provider_token(key_file, key_id, team):
    """A provider token; openssl signs with DER, and r and s are taken out of it for the usual raw form."""
    header = base64url(json.dumps({"alg": "ES256", "kid": key_id}).encode())
    claims = base64url(json.dumps({"iss": team, "iat": int(time.time())}).encode())
    signed = f"{header}.{claims}"
    der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key_file], input=signed.encode(), capture_output=True, check=True).stdout
    r_length = der[3]
    r, rest = der[4:4 + r_length], der[4 + r_length:]
    s = rest[2:2 + rest[1]]
    raw = b"".join(part[-32:].rjust(32, b"\0") for part in (r, s))
    return f"{signed}.{base64url(raw)}"


def load(port, token, requests, connections, streams, body_file, device=DEVICE):
    """Sends pushes with h2load; returns pushes per second, ends the program when one was not answered 200."""
    command = ["h2load", "-n", str(requests), "-c", str(connections), "-m", str(streams), "-t", "1", "-d", str(body_file),
               "-H", f"apns-topic: {TOPIC}", "-H", "apns-push-type: alert", "-H", f"authorization: bearer {token}",
               f"https://127.0.0.1:{port}/3/device/{device}"]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    succeeded = re.search(r"status codes: (\d+) 2xx", output)
    if not succeeded or int(succeeded.group(1)) != requests:
        sys.exit(f"{output}\nnot every request was answered 200")
    return float(re.search(r"finished in [^,]+, ([\d.]+) req/s", output).group(1))


def cpu_seconds(pid):
    """User and system time of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mebibytes(pid):
    """Resident memory of a process now."""
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
