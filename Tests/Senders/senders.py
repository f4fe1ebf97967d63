"""The real senders, each behind the same face: push one notification, tell what APNs answered.

Nothing of a sender is changed but where it connects and whom it trusts.
"""
import asyncio
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import httpx
import jwt
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol

TOPIC = "com.example.app"
HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Push:
    """What to send."""

    device: str
    payload: dict
    topic: str = TOPIC
    push_type: str = "alert"
    token_age: int = 0


@dataclass
class Answer:
    """What came back; the reason is Apple's word, or empty."""

    status: int
    reason: str = ""


def provider_token(apns, age=0):
    claims = {"iss": apns.team_id, "iat": int(time.time()) - age}
    return jwt.encode(claims, apns.key, algorithm="ES256", headers={"kid": apns.key_id})


def fields(apns, push):
    return {"authorization": f"bearer {provider_token(apns, push.token_age)}", "apns-topic": push.topic, "apns-push-type": push.push_type}


def aioapns(apns, push):
    """Fixed hosts, no ALPN, `host` instead of `:authority`. Its proxy option works on no event loop of today, so its table of hosts is changed."""

    class Aged:
        def get_header(self):
            return f"bearer {provider_token(apns, push.token_age)}"

    class Local(APNsDevelopmentClientProtocol):
        APNS_SERVER, APNS_PORT = apns.host, apns.port

        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            if push.token_age:
                self.auth_provider = Aged()

    async def send():
        trust = ssl.create_default_context(cafile=apns.ca)
        client = APNs(key=apns.key, key_id=apns.key_id, team_id=apns.team_id, topic=push.topic, use_sandbox=True,
                      ssl_context=trust)
        client.pool.protocol_class = Local
        request = NotificationRequest(device_token=push.device, message=push.payload, push_type=PushType(push.push_type))
        result = await asyncio.wait_for(client.send_notification(request), 30)
        client.pool.close()
        return Answer(int(result.status), result.description or "")

    return asyncio.run(send())


def kalyke(apns, push):
    """Fixed hosts as well. It follows the proxy and trust settings of its environment, so it runs in its own process, and
    mock-apns is its proxy."""
    order = {"device": push.device, "payload": push.payload, "topic": push.topic, "type": push.push_type, "age": push.token_age,
             "team": apns.team_id, "key_id": apns.key_id, "key_file": apns.key_file}
    environment = {**os.environ, "HTTPS_PROXY": f"http://{apns.host}:{apns.port}", "SSL_CERT_FILE": apns.ca}
    done = subprocess.run([sys.executable, HERE / "kalyke_sender.py"], input=json.dumps(order), env=environment,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return Answer(**json.loads(done.stdout))


def httpx_client(apns, push):
    """Offers http/1.1 before h2 and ends bodies with an empty DATA frame."""
    with httpx.Client(http2=True, verify=ssl.create_default_context(cafile=apns.ca)) as client:
        response = client.post(f"{apns.url}/3/device/{push.device}", headers=fields(apns, push), json=push.payload)
    assert response.http_version == "HTTP/2"
    return Answer(response.status_code, response.json()["reason"] if response.content else "")


def httpx_http1(apns, push):
    """HTTP/1.1 in clear text."""
    with httpx.Client() as client:
        response = client.post(f"{apns.http1_url}/3/device/{push.device}", headers=fields(apns, push), json=push.payload)
    assert response.http_version == "HTTP/1.1"
    return Answer(response.status_code, response.json()["reason"] if response.content else "")


def curl(apns, push):
    """Sends form-urlencoded content and resets answered streams."""
    return run_curl(apns, push, apns.url, "2", "--http2", "--cacert", apns.ca)


def curl_h2c(apns, push):
    """HTTP/2 in clear text, with prior knowledge."""
    return run_curl(apns, push, apns.h2c_url, "2", "--http2-prior-knowledge")


def curl_http1(apns, push):
    """HTTP/1.1 in clear text, in chunks after an interim answer."""
    return run_curl(apns, push, apns.http1_url, "1.1", "-H", "Transfer-Encoding: chunked", "-H", "Expect: 100-continue")


def run_curl(apns, push, url, expected_version, *options):
    headers = [argument for name, value in fields(apns, push).items() for argument in ("-H", f"{name}: {value}")]
    done = subprocess.run(["curl", "--silent", "--show-error", *options, *headers, "--data-binary", "@-",
                           "--write-out", "\n%{http_code} %{http_version}", f"{url}/3/device/{push.device}"],
                          input=json.dumps(push.payload), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    body, _, line = done.stdout.rpartition("\n")
    status, version = line.split()
    assert version == expected_version
    return Answer(int(status), json.loads(body)["reason"] if body else "")


def nghttp(apns, push):
    """PRIORITY frames, padding, stream 13; it has no trust option, so it checks nothing."""
    return run_nghttp(apns, push, apns.url)


def nghttp_h2c(apns, push):
    """The same in clear text: it speaks HTTP/2 at once, without asking for an upgrade."""
    return run_nghttp(apns, push, apns.h2c_url)


def run_nghttp(apns, push, url):
    headers = [f"--header={name}: {value}" for name, value in fields(apns, push).items()]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as body:
        json.dump(push.payload, body)
        body.flush()
        done = subprocess.run(["nghttp", "--verbose", "--padding=16", "--header=:method: POST", *headers, f"--data={body.name}",
                               f"{url}/3/device/{push.device}"], capture_output=True, text=True, timeout=60)
    status = re.search(r":status: (\d+)", done.stdout)
    assert status, done.stdout + done.stderr
    reason = re.search(r'{"reason":"(\w+)"', done.stdout)
    return Answer(int(status.group(1)), reason.group(1) if reason else "")


SENDERS = {sender.__name__: sender for sender in (
    aioapns, kalyke, httpx_client, httpx_http1, curl, curl_h2c, curl_http1, nghttp, nghttp_h2c)}
