"""Senders that show a client certificate, issued by `mock-apns certs`, instead of a provider token."""
import asyncio
import json
import socket
import ssl
import subprocess

import httpx
import pytest
from aioapns import APNs, NotificationRequest
from aioapns.connection import APNsDevelopmentClientProtocol

TOPIC = "com.acme.app"
PAYLOAD = {"aps": {"alert": "hi"}}


@pytest.fixture
def issue(apns, tmp_path):
    """Issues a certificate as a file: certificate and key in PEM, or a .p12."""

    def make(*flags, name="push.pem"):
        file = tmp_path / name
        done = apns.run("certs", "new", "--topic", TOPIC, "-O", str(file), *flags)
        assert done.returncode == 0, done.stderr
        return file

    return make


def curl(apns, device, *arguments, payload=PAYLOAD):
    done = subprocess.run(
        ["curl", "-sS", "--http2", "--cacert", apns.ca, *arguments, "-d", json.dumps(payload), "-w", "\n%{http_code}",
         f"{apns.url}/3/device/{device}"], capture_output=True, text=True, timeout=60)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), json.loads(body)["reason"] if body else ""


def test_httpx(apns, device, issue):
    context = ssl.create_default_context(cafile=apns.ca)
    context.load_cert_chain(issue())
    with httpx.Client(http2=True, verify=context) as client:
        response = client.post(f"{apns.url}/3/device/{device}", headers={"apns-topic": TOPIC}, json=PAYLOAD)
    assert (response.status_code, response.text) == (200, "")
    [item] = apns.delivered(device)
    assert item["auth"]["method"] == "certificate"


def test_aioapns_takes_its_topic_from_the_certificate(apns, device, issue):
    file = str(issue("--kind", "app"))

    class Local(APNsDevelopmentClientProtocol):
        APNS_SERVER, APNS_PORT = apns.host, apns.port

    async def send():
        trust = ssl.create_default_context(cafile=apns.ca)
        trust.load_cert_chain(file)
        client = APNs(client_cert=file, use_sandbox=True, ssl_context=trust)
        client.pool.protocol_class = Local
        result = await asyncio.wait_for(client.send_notification(NotificationRequest(device_token=device, message=PAYLOAD)), 30)
        client.pool.close()
        return result

    assert asyncio.run(send()).status == "200"
    [item] = apns.delivered(device)
    assert item["topic"] == TOPIC


def test_curl_with_a_p12_file(apns, device, issue):
    file = issue("--p12", "--password", "secret", name="push.p12")
    assert curl(apns, device, "--cert-type", "P12", "--cert", f"{file}:secret", "-H", f"apns-topic: {TOPIC}") == (200, "")
    apns.delivered(device)


@pytest.mark.parametrize(
    ("flags", "headers", "answer"),
    [
        (["--kind", "app"], [], (200, "")),
        ([], [], (400, "MissingTopic")),
        ([], ["apns-topic: com.other.app"], (400, "TopicDisallowed")),
        (["--kind", "voip"], [f"apns-topic: {TOPIC}"], (400, "TopicDisallowed")),
        (["--kind", "voip"], ["apns-push-type: voip"], (200, "")),
        ([], [f"apns-topic: {TOPIC}.location-query", "apns-push-type: location"], (400, "TopicDisallowed")),
        ([], [f"apns-topic: {TOPIC}.pushkit.fileprovider", "apns-push-type: fileprovider"], (400, "TopicDisallowed")),
        ([], [f"apns-topic: {TOPIC}", "authorization: bearer garbage"], (200, "")),
        (["--env", "sandbox"], [f"apns-topic: {TOPIC}"], (200, "")),
        # GOAWAY before the first request.
        (["--env", "production"], [f"apns-topic: {TOPIC}"], (0, "")),
    ],
)
def test_curl_with_good_and_bad_certificates(apns, device, issue, flags, headers, answer):
    arguments = [argument for header in headers for argument in ("-H", header)]
    assert curl(apns, device, "--cert", issue(*flags), *arguments) == answer


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
@pytest.mark.parametrize(
    ("flag", "alert"),
    [("--validity=-1d", "CERTIFICATE_EXPIRED"), ("--revoked", "CERTIFICATE_REVOKED"), ("--stranger", "UNKNOWN_CA")],
)
def test_a_bad_certificate_ends_the_handshake(apns, issue, flag, alert, version):
    context = ssl.create_default_context(cafile=apns.ca)
    context.maximum_version = ssl.TLSVersion[version]
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(issue(flag))
    with pytest.raises(ssl.SSLError) as error, socket.create_connection((apns.host, apns.port), 30) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            # In TLS 1.3 the client's handshake ends before the server has looked.
            while connection.recv(1000):
                pass
    assert error.value.reason.endswith(f"_ALERT_{alert}")


@pytest.mark.parametrize("flag", ["--validity=-1d", "--revoked", "--stranger"])
def test_the_documented_answer_is_a_switch_away(start_server, device, tmp_path, flag):
    apns = start_server("--bad-certificates", "403")
    file = str(tmp_path / "push.pem")
    assert apns.run("certs", "new", "--topic", TOPIC, "-O", file, flag).returncode == 0
    assert curl(apns, device, "--cert", file, "-H", f"apns-topic: {TOPIC}") == (403, "BadCertificate")


@pytest.mark.parametrize("topic", ["pass.com.acme.card", "com.apple.mgmt.External.1f2e3d4c", "web.com.acme"])
def test_the_uid_is_the_topic_of_what_is_no_app(apns, device, tmp_path, topic):
    file = str(tmp_path / "push.pem")
    assert apns.run("certs", "new", "--topic", topic, "-O", file).returncode == 0
    payload = {"mdm": "magic"} if "mgmt" in topic else {"aps": {"alert": {"title": "a", "body": "b"}, "url-args": []}}
    assert curl(apns, device, "--cert", file, payload=payload) == (200, "")
    [item] = apns.delivered(device)
    assert item["topic"] == topic
