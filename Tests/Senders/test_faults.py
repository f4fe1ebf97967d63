"""Scripted faults as real HTTP clients meet them: httpx, curl and aioapns."""
import json
import subprocess

import httpx
import pytest
from senders import Push, fields

PAYLOAD = {"aps": {"alert": "hi"}}
#: What a client meets first when the connection ends under it depends on whether it was writing or reading then.
LOST = (httpx.NetworkError, httpx.ProtocolError)


@pytest.fixture
def fail_next(apns, device):
    """Lets the next push to the device fail; the server is shared, so nobody else is meant."""

    def fail_next(**outcome):
        answer = httpx.post(f"{apns.admin}/v1/fail-next", json={"device": device, **outcome})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    return fail_next


@pytest.fixture
def rule(apns, device):
    """Adds a rule about pushes to the device, or about connections, and takes it away at the end."""
    made = []

    def add(**members):
        if members.get("stage") != "connection":
            members.setdefault("match", {"device": device})
        answer = httpx.post(f"{apns.admin}/v1/rules", json=members)
        assert answer.status_code == 201, answer.text
        made.append(answer.json()["id"])

    yield add
    for name in made:
        httpx.delete(f"{apns.admin}/v1/rules/{name}")


def client(apns):
    import ssl

    return httpx.Client(http2=True, verify=ssl.create_default_context(cafile=apns.ca), timeout=2)


def push(session, apns, device, headers=None):
    headers = headers or fields(apns, Push(device, PAYLOAD))
    return session.post(f"{apns.url}/3/device/{device}", headers=headers, json=PAYLOAD)


def curl(apns, device, *more):
    headers = [argument for name, value in fields(apns, Push(device, {})).items() for argument in ("-H", f"{name}: {value}")]
    return subprocess.run(
        ["curl", "-sS", "--http2", "--max-time", "3", "--cacert", apns.ca, *headers, *more, "-d", json.dumps(PAYLOAD),
         "-w", "%{http_code}", f"{apns.url}/3/device/{device}"], capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        ({"fault": "accept-then-drop"}, LOST),
        ({"fault": "reset-stream", "code": "REFUSED_STREAM"}, httpx.RemoteProtocolError),
        ({"fault": "reset-stream", "code": "INTERNAL_ERROR"}, httpx.RemoteProtocolError),
        ({"fault": "goaway", "code": "ENHANCE_YOUR_CALM", "reason": "Shutdown", "lastStream": "none"}, httpx.RemoteProtocolError),
        ({"fault": "close"}, LOST),
        ({"fault": "rst"}, LOST),
        ({"fault": "hang"}, httpx.ReadTimeout),
        ({"fault": "headers-only"}, httpx.ReadTimeout),
        ({"fault": "stall-writes"}, httpx.ReadTimeout),
    ],
    ids=lambda value: "-".join(str(part) for part in value.values()) if isinstance(value, dict) else "",
)
def test_httpx_meets_the_fault_and_recovers(apns, device, fail_next, outcome, error):
    fail_next(**outcome)
    with client(apns) as session:
        with pytest.raises(error):
            push(session, apns, device)
    with client(apns) as session:
        assert push(session, apns, device).status_code == 200


def test_httpx_gets_odd_answers(apns, device, fail_next):
    # One connection takes one provider token in 20 minutes.
    headers = fields(apns, Push(device, PAYLOAD))
    with client(apns) as session:
        fail_next(response={"status": 500, "body": "<html>", "headers": {"retry-after": "3"}})
        answer = push(session, apns, device, headers)
        assert (answer.status_code, answer.text, answer.headers["retry-after"]) == (500, "<html>", "3")
        fail_next(fault="truncate-body", reason="BadDeviceToken")
        answer = push(session, apns, device, headers)
        assert answer.status_code == 400
        with pytest.raises(json.JSONDecodeError):
            answer.json()
        fail_next(fault="dribble", reason="Shutdown", interval="5ms")
        assert push(session, apns, device, headers).json() == {"reason": "Shutdown"}
        fail_next(reason="Unregistered", timestamp="2026-01-01T00:00:00Z")
        answer = push(session, apns, device, headers)
        assert (answer.status_code, answer.json()) == (410, {"reason": "Unregistered", "timestamp": 1767225600000})


def test_an_answer_is_late_and_its_push_is_not(apns, device, fail_next):
    fail_next(accept=True, delay="700ms")
    with client(apns) as session:
        answer = push(session, apns, device)
    assert answer.status_code == 200
    assert answer.elapsed.total_seconds() >= 0.7
    [item] = apns.delivered(device)
    assert item["state"] == "complete"
    assert item["response"]["afterMs"] >= 700
    assert item["rule"]["delayMs"] == 700


def test_curl_names_what_it_met(apns, device, fail_next):
    for outcome, codes, words in [
        ({"fault": "rst"}, (55, 56), "reset"),
        ({"fault": "reset-stream", "code": "ENHANCE_YOUR_CALM"}, (92,), "ENHANCE_YOUR_CALM"),
        ({"fault": "hang"}, (28,), "timed out"),
    ]:
        fail_next(**outcome)
        done = curl(apns, device)
        assert done.returncode in codes, f"{outcome}: {done.returncode} {done.stderr}"
        assert words in done.stderr
    assert curl(apns, device).stdout == "200"


def test_curl_meets_an_alert_and_a_refused_connection(apns, device, rule):
    rule(stage="connection", then={"sequence": [{"fault": "tls-alert:certificate_expired"}, {"fault": "refuse-connect"}]})
    # Versions of curl give the alert as a failed handshake or as a failed verification.
    assert curl(apns, device).returncode in (35, 60)
    assert curl(apns, device).returncode in (7, 35)
    assert curl(apns, device).stdout == "200"


def test_aioapns_is_told_the_reason_of_a_token(apns):
    from senders import SENDERS

    token = apns.run_offline("token", "--reason", "TooManyRequests", "--fail-first", "1").stdout.strip()
    send = SENDERS["aioapns"]
    first = send(apns, Push(token, PAYLOAD))
    assert first.reason == "TooManyRequests"
    assert send(apns, Push(token, PAYLOAD)).status == 200
