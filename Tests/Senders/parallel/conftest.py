"""One server for all workers of pytest-xdist, and a namespace of it for each test.

Tests send to the same device with the same topic and the same token, unless that is the way to find their namespace, over
connections that all tests of a worker share: nothing but the namespaces keeps them apart.
"""
import asyncio
import json
import os
import pathlib
import secrets
import ssl
import subprocess
import tempfile
import time

import httpx
import jwt
import pytest

PROGRAM = os.environ["MOCK_APNS_PROGRAM"]
#: The ways in which a push finds its namespace.
WAYS = ["port", "host", "key", "device", "topic"]
DEVICE = "ab" * 32


def pytest_configure(config):
    """The process that hands out the tests starts the server; its workers are told where it is."""
    if hasattr(config, "workerinput"):
        return
    folder = tempfile.TemporaryDirectory(prefix="mock-apns-")
    server = subprocess.Popen(
        [PROGRAM, "serve", "--ephemeral", "--certs", f"{folder.name}/certs", "--log", f"{folder.name}/inspection.ndjson", "-q"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    config.apns = (folder, server, server.stdout.readline())


def pytest_configure_node(node):
    node.workerinput["apns"] = node.config.apns[2]


def pytest_unconfigure(config):
    if not hasattr(config, "apns"):
        return
    folder, server, facts = config.apns
    listed = httpx.get(json.loads(facts)["admin"] + "/v1/namespaces").json()["items"]
    server.stdin.close()
    assert server.wait(20) == 0
    check_log(pathlib.Path(folder.name, "inspection.ndjson"))
    folder.cleanup()
    assert [item["name"] for item in listed] == ["default"], "a test left its namespace behind"
    assert listed[0]["journal"]["accepted"] == 0, "a push went astray"


def check_log(path):
    """Each line of the one log names the namespace that its push was sent to; pushes say in their payload where that is."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines
    for line in lines:
        assert line["payload"]["sentTo"] == line["namespace"]
    assert len({line["id"] for line in lines}) == len(lines)


@pytest.fixture(scope="session")
def server(request):
    """The server's ready line, read."""
    workerinput = getattr(request.config, "workerinput", None)
    return json.loads(workerinput["apns"] if workerinput else request.config.apns[2])


@pytest.fixture(scope="session")
def shared(server):
    """The connections that all tests of this worker share."""
    with httpx.Client(http2=True, verify=ssl.create_default_context(cafile=server["caFile"]), timeout=30) as client:
        yield client


@pytest.fixture(scope="session")
def provider_token(server):
    """The provider token that all tests of this worker sign with, unless they have a key of their own."""
    return sign(pathlib.Path(server["keyFile"]).read_text(), server["keyId"], server["teamId"])


def sign(key, key_id, team_id):
    token = jwt.encode({"iss": team_id, "iat": int(time.time())}, key, algorithm="ES256", headers={"kid": key_id})
    return f"bearer {token}"


class Suite:
    """A namespace, and a sender whose pushes belong to it."""

    def __init__(self, server, client, token, way):
        self.name = f"suite-{secrets.token_hex(4)}"
        topic = f"com.example.{self.name}" if way == "topic" else "com.example.app"
        self.device = DEVICE
        order = {"name": self.name, "ttl": "5m"}
        order |= {"port": {"port": 0}, "key": {"key": True}, "device": {"devices": 1}, "topic": {"topics": [topic]}}.get(way, {})
        made = httpx.post(server["admin"] + "/v1/namespaces", json=order)
        assert made.status_code == 201, made.text
        facts = made.json()
        self.base = facts["base"]
        self.resource = f"{server['admin']}/v1/namespaces/{self.name}"
        self.key_id = server["keyId"]
        self.client = client
        self.ca = server["caFile"]
        self.url = server["apns"]["url"]
        self.extensions = {}
        self.headers = {"authorization": token, "apns-topic": topic, "apns-push-type": "alert"}
        if way == "port":
            self.url = f"https://{facts['apns']['host']}:{facts['apns']['port']}"
        if way == "host":
            # Its own connection: the name is said in the handshake.
            self.client = httpx.Client(http2=True, verify=ssl.create_default_context(cafile=server["caFile"]), timeout=30)
            self.extensions = {"sni_hostname": facts["hostName"]}
        if way == "key":
            self.key_id = facts["key"]["keyId"]
            self.headers["authorization"] = sign(facts["key"]["p8"], self.key_id, facts["key"]["teamId"])
        if way == "device":
            self.device = facts["devices"][0]

    def request(self, number, **headers):
        """The arguments of a request that pushes."""
        return {
            "url": f"{self.url}/3/device/{self.device}", "headers": self.headers | headers, "extensions": self.extensions,
            "json": {"aps": {"alert": f"push {number}"}, "number": number, "sentTo": self.name}}

    def push(self, number, **headers):
        """Sends a push; returns the status."""
        return self.client.post(**self.request(number, **headers)).status_code

    def push_at_once(self, numbers):
        """Sends pushes as so many streams of one connection; returns the statuses. Threads may not share an httpx.Client."""

        async def send():
            async with httpx.AsyncClient(http2=True, verify=ssl.create_default_context(cafile=self.ca), timeout=30) as client:
                return await asyncio.gather(*(client.post(**self.request(number)) for number in numbers))

        return [answer.status_code for answer in asyncio.run(send())]

    def get(self, path, **query):
        return httpx.get(self.base + path, params=query, timeout=30)

    def post(self, path, body=None):
        answer = httpx.post(self.base + path, json=body or {}, timeout=30)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def numbers(self, path="/notifications", **query):
        """The numbers of the pushes that the log shows."""
        answer = self.get(path, limit=1000, **query)
        assert answer.status_code == 200, answer.text
        items = answer.json()["items"]
        assert {item["payload"]["sentTo"] for item in items} <= {self.name}
        return [item["payload"]["number"] for item in items]

    def facts(self):
        """What the server says of the namespace."""
        return httpx.get(self.resource, timeout=30).json()

    def end(self, **query):
        return httpx.delete(self.resource, params=query, timeout=30)


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.fixture
def new_suite(server, shared, provider_token, way):
    """Makes namespaces that end with the test."""
    suites = []

    def make():
        suites.append(Suite(server, shared, provider_token, way))
        return suites[-1]

    yield make
    for suite in suites:
        assert suite.end().status_code in (200, 404)


@pytest.fixture
def suite(new_suite):
    """A namespace of the test's own."""
    return new_suite()
