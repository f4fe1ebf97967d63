"""A running mock-apns for the whole session, and the ways to ask it what arrived."""
import contextlib
import json
import os
import pathlib
import secrets
import subprocess

import pytest

PROGRAM = os.environ["MOCK_APNS_PROGRAM"]
# What the documents' recipes need (test_recipes.py) is no test of this suite.
collect_ignore = ["recipes"]


class MockAPNs:
    """The server under test, as its ready line describes it."""

    def __init__(self, facts):
        self.host = facts["apns"]["host"]
        self.port = facts["apns"]["port"]
        self.url = facts["apns"]["url"]
        self.h2c_url = facts["h2c"]["url"] if facts["h2c"] else None
        self.http1_url = facts["http1"]["url"] if facts["http1"] else None
        self.admin = facts["admin"]
        self.ca = facts["caFile"]
        self.key_file = facts["keyFile"]
        self.key = pathlib.Path(facts["keyFile"]).read_text()
        self.key_id = facts["keyId"]
        self.team_id = facts["teamId"]

    def run(self, *arguments):
        """Runs a client command of the program; returns what it did."""
        return subprocess.run([PROGRAM, *arguments, "--admin", self.admin], capture_output=True, text=True, timeout=60)

    def run_offline(self, *arguments):
        """Runs a command that asks no server."""
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=True)

    def delivered(self, device, count=1):
        """Waits with `mock-apns wait` until so many pushes to the device have arrived; returns them."""
        done = self.run("wait", "--device", device, "--count", str(count), "--for", "20s", "-o", "json")
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        items = json.loads(done.stdout)["items"]
        assert len(items) == count
        return items

    def refused(self, device):
        """The refused requests to the device, oldest first."""
        done = self.run("list", "--device", device, "--outcome", "rejected", "-o", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["items"]


@contextlib.contextmanager
def running(folder, *flags):
    """A server with its files in the folder."""
    process = subprocess.Popen(
        [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--h2c-listen", "127.0.0.1:0",
         "--http1-listen", "127.0.0.1:0", "--ready", "json", "--exit-on-stdin-close",
         "--certs", folder / "certs", "--log", folder / "inspection.ndjson", "-q", *flags],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield MockAPNs(json.loads(process.stdout.readline()))
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.fixture(scope="session")
def apns(tmp_path_factory):
    with running(tmp_path_factory.mktemp("mock-apns")) as server:
        yield server


@pytest.fixture
def start_server(tmp_path_factory):
    """Starts further servers, with flags and files of their own."""
    with contextlib.ExitStack() as stack:
        yield lambda *flags: stack.enter_context(running(tmp_path_factory.mktemp("mock-apns"), *flags))


@pytest.fixture
def device():
    """A device token that no other test uses."""
    return secrets.token_hex(32)
