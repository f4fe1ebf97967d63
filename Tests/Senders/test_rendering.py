"""What `show` prints can be pasted: a curl that sends the push again, an assertion that is met by it."""
import json
import os
import subprocess

import httpx
from conftest import PROGRAM
from senders import Push, httpx_client as send, provider_token


def entry(apns, device):
    return apns.delivered(device)[0]


def paste(apns, script):
    """Runs a script as a person would who has pasted it."""
    environment = os.environ | {
        "JWT": provider_token(apns), "MOCK_APNS_ADMIN": apns.admin, "PATH": f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}"}
    return subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=60)


def test_curl_sends_the_same_push_again(apns, device):
    payload = {"aps": {"alert": {"title": "It's \"50 %\" off\n$HOME `date` \\ ü"}}, "n": 1.5}
    assert send(apns, Push(device, payload)).status == 200
    first = entry(apns, device)
    script = apns.run("show", first["id"], "--curl").stdout
    assert provider_token(apns).split(".")[2] not in script
    done = paste(apns, script.replace("curl ", "curl -sS -w '%{http_code}' ", 1))
    assert done.returncode == 0 and done.stdout.endswith("200"), f"{script}\n{done.stdout}\n{done.stderr}"
    first, second = apns.delivered(device, 2)
    for name in ("payload", "topic", "pushType", "priority", "payloadBytes"):
        assert first[name] == second[name]


def test_assertions_are_met_by_the_push(apns, device):
    assert send(apns, Push(device, {"aps": {"alert": {"title": "2 * 3 = \"six\", isn't it?"}}})).status == 200
    first = entry(apns, device)
    done = paste(apns, apns.run("show", first["id"], "--test", "sh").stdout)
    assert done.returncode == 0, done.stderr
    os.environ["MOCK_APNS_ADMIN"] = apns.admin
    try:
        exec(apns.run("show", first["id"], "--test", "pytest").stdout, {"httpx": httpx, "os": os})
    finally:
        del os.environ["MOCK_APNS_ADMIN"]


def test_the_assertion_about_a_refusal_is_met(apns, device):
    assert send(apns, Push(device, {"aps": {"alert": "x"}}, topic="bad topic")).status == 400
    refused = apns.refused(device)[0]
    done = paste(apns, apns.run("show", refused["id"], "--test", "sh").stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_the_simulator_file_is_the_payload_with_its_app(apns, device):
    assert send(apns, Push(device, {"aps": {"alert": "x"}, "id": 7})).status == 200
    first = entry(apns, device)
    file = json.loads(apns.run("show", first["id"], "--apns").stdout)
    assert file == {"Simulator Target Bundle": first["topic"], "aps": {"alert": "x"}, "id": 7}
