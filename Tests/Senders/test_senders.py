"""Each real sender delivers and is read back, and is told Apple's reason when it is refused."""
import json
import re
import subprocess

import pytest
from senders import SENDERS, Push, fields

PAYLOAD = {"aps": {"alert": {"title": "Shipped", "body": "Order 42 is on its way"}, "badge": 1, "sound": "default"}, "orderId": 42}


@pytest.fixture(params=SENDERS)
def send(request):
    return SENDERS[request.param]


def test_a_push_arrives(apns, device, send):
    answer = send(apns, Push(device, PAYLOAD))
    assert (answer.status, answer.reason) == (200, "")
    [item] = apns.delivered(device)
    assert item["payload"] == PAYLOAD
    assert item["topic"] == "com.example.app"
    assert item["pushType"] == "alert"
    assert item["display"]["title"] == "Shipped"
    assert item["auth"]["signature"] == "verified"


def test_text_in_any_script_arrives_as_it_was_sent(apns, device, send):
    payload = {"aps": {"alert": "Grüße, 世界 \U0001f680 \"quoted\" \\ and \u2028"}}
    assert send(apns, Push(device, payload)).status == 200
    [item] = apns.delivered(device)
    assert item["payload"] == payload


@pytest.mark.parametrize(
    ("push", "status", "reason"),
    [
        ({"token_age": 3700}, 403, "ExpiredProviderToken"),
        ({"payload": {"aps": {"alert": "x" * 4096}}}, 413, "PayloadTooLarge"),
        ({"topic": "com.example.app.voip"}, 400, "InvalidPushType"),
        ({"payload": {"aps": {"badge": "5"}}}, 400, "BadRequestPayload"),
    ],
    ids=["expired-token", "too-large", "topic-of-another-type", "payload-against-the-tables"],
)
def test_a_refusal_names_apples_reason(apns, device, send, push, status, reason):
    if send.__name__ == "kalyke" and reason == "BadRequestPayload":
        with pytest.raises(AssertionError, match="BadRequestPayload"):
            # No class of that name: for a device push the word is this server's own, in the strict profile.
            send(apns, Push(device, **{"payload": PAYLOAD, **push}))
    else:
        answer = send(apns, Push(device, **{"payload": PAYLOAD, **push}))
        assert answer.reason == reason
        assert answer.status in (status, 0)
    [entry] = apns.refused(device)
    assert entry["rejection"]["reason"] == reason
    assert entry["rejection"]["status"] == status
    assert entry["rejection"]["explanation"] and entry["rejection"]["fix"]


@pytest.mark.parametrize("clear_text", [False, True], ids=["tls", "h2c"])
def test_a_load_of_pushes_arrives_whole(apns, device, tmp_path, clear_text):
    url = apns.h2c_url if clear_text else apns.url
    body = tmp_path / "payload.json"
    body.write_text('{"aps":{"alert":"load"}}')
    headers = [argument for name, value in fields(apns, Push(device, {})).items() for argument in ("-H", f"{name}: {value}")]
    done = subprocess.run(["h2load", "-n", "2000", "-c", "4", "-m", "50", "-d", body, *headers, f"{url}/3/device/{device}"],
                          capture_output=True, text=True, timeout=120)
    assert re.search(r"status codes: 2000 2xx", done.stdout), done.stdout
    listed = apns.run("list", "--device", device, "--limit", "1", "-o", "json")
    assert json.loads(listed.stdout)["matched"] == 2000
