"""Channels and broadcasts with curl: create, read, list, publish, delete, as Apple's pages show it."""
import json
import subprocess
import time

import pytest
from senders import Push, fields

APP = "com.example.app"


@pytest.fixture
def call(apns, device, tmp_path):
    """Sends a request with curl; returns status, header fields and body."""
    authorization = fields(apns, Push(device, {}))["authorization"]

    def send(method, path, headers=None, body=None):
        dump = tmp_path / "headers"
        arguments = ["curl", "-sS", "--http2", "--cacert", apns.ca, "-X", method, "-D", dump, "-H", f"authorization: {authorization}"]
        for name, value in (headers or {}).items():
            arguments += ["-H", f"{name}: {value}"]
        if body is not None:
            arguments += ["--data-binary", json.dumps(body)]
        done = subprocess.run([*arguments, f"{apns.url}{path}"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        status, *lines = dump.read_text().strip().splitlines()
        return int(status.split()[1]), dict(line.split(": ", 1) for line in lines), done.stdout

    return send


def test_a_channel_from_creation_to_deletion(apns, call):
    path = f"/1/apps/{APP}/channels"
    status, answer, body = call("POST", path, body={"message-storage-policy": 1, "push-type": "LiveActivity"})
    assert (status, body) == (201, "")
    channel = answer["apns-channel-id"]
    assert len(answer["apns-request-id"]) == 36
    named = {"apns-channel-id": channel}

    status, _, body = call("GET", path, named)
    assert (status, json.loads(body)) == (200, {"message-storage-policy": 1, "push-type": "LiveActivity"})
    status, _, body = call("GET", f"/1/apps/{APP}/all-channels")
    assert status == 200 and channel in json.loads(body)["channels"]

    message = {"aps": {"event": "update", "timestamp": int(time.time()), "content-state": {"score": "1:0"}}}
    publish = {**named, "apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": str(int(time.time()) + 3600)}
    status, answer, body = call("POST", f"/4/broadcasts/apps/{APP}", publish, message)
    assert (status, body) == (200, "")
    assert answer["apns-unique-id"]

    listed = apns.run("list", "--channel", channel, "--kind", "broadcast", "-o", "json")
    assert listed.returncode == 0, listed.stderr
    [item] = json.loads(listed.stdout)["items"]
    assert item["apnsId"] == answer["apns-request-id"]
    assert item["payload"] == message

    assert call("DELETE", path, named)[0] == 204
    status, _, body = call("DELETE", path, named)
    assert (status, body) == (404, '{"reason":"BadPath"}')
    status, _, body = call("POST", f"/4/broadcasts/apps/{APP}", publish, message)
    assert (status, body) == (400, '{"reason":"ChannelNotRegistered"}')
