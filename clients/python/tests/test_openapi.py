"""Every route, parameter and member of a body that this client uses is in the program's OpenAPI document."""
import asyncio
import inspect
import json
import re
import subprocess
import typing
from urllib.parse import urlsplit

import pytest

from mock_apns import ExpectationError, find_program, http, join
from mock_apns.operations import Operations


@pytest.fixture
def document(apns_server):
    """What `mock-apns openapi` prints."""
    done = subprocess.run(
        [find_program(), "openapi", "--admin", apns_server.admin], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def operation(document, method, path):
    """The operation of a path; segments of the document may be place holders."""
    plain = re.sub(r"^/v1/ns/[^/]+/", "/v1/", path)
    pattern_of = {each: re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(each))) for each in document["paths"]}
    found = [plain] if plain in pattern_of else [each for each, pattern in pattern_of.items() if pattern.fullmatch(plain)]
    assert found, f"{plain} is no path of the OpenAPI document"
    operations = document["paths"][found[0]]
    assert method.lower() in operations, f"{method} {plain} is not in the OpenAPI document"
    return operations[method.lower()]


def members(known):
    return set(known.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {}).get("properties", {}))


def test_all_calls_are_in_the_document(apns_server, document, monkeypatch):
    calls, used = [], set()
    monkeypatch.setattr(http, "observer", calls.append)
    for name, method in inspect.getmembers(Operations, inspect.isfunction):
        if name.startswith("_"):
            continue

        def counted(*args, _name=name, _method=method, **kwargs):
            used.add(_name)
            return _method(*args, **kwargs)

        monkeypatch.setattr(Operations, name, counted)
    # The methods of a namespace hold the plain operations; they are asked through these.
    namespace = apns_server.namespace(profile="strict", seed=7, devices=1, topics=["com.example.openapi"], ttl=60)
    ask = lambda name, *args, **kwargs: http.run(getattr(namespace._operations, name)(*args, **kwargs))
    ask("expect_none", {}, within=0)
    with pytest.raises(ExpectationError):
        ask("expect", {"aps.badge": 3}, device="ab*", exactly=1, within=0.01, settle=0.01, after=ask("cursor"))
    with pytest.raises(ExpectationError):
        ask("expect", count=2, within=0)
    ask("verify", [], ordered=True, no_others=True, no_rejections=True, no_findings=["L006"], scope={"topic": "*"}, after=0,
        within=0.01, settle=0.01)
    assert ask("requests", limit=3, order="desc", after=0) == []
    assert isinstance(ask("log", limit=2), str)
    phone = namespace.device(topics=["com.example.app"], environment="sandbox", state="active", since="-1h")
    namespace.register(2)
    phone.unregister(since="-1h")
    phone.inbox()
    ask("freeze", "2030-01-01T00:00:00Z")
    assert ask("now").year == 2030
    ask("advance", "1m")
    ask("resume")
    namespace.client_certificate("com.example.app", environments=["sandbox"], validity="1d", revoked=False, issuer="test")
    ask("fail_next", "TooManyRequests", times=2, delay=0.1, device="ab*", topic="*", match={})
    ask("fail_next", fault="goaway", lastStream="none")
    ask("rule", {"delay": "1ms"}, match={"topic": "*"}, when={"times": 1}, id="mine", stage="afterValidation",
        priority=1, ttl=60, note="for people", go_on=True)
    ask("explain", "ab" * 32, {"aps": {}}, headers={"apns-topic": "com.example.app"}, environment="sandbox")
    ask("explain", "ab" * 32, payload_text="{", assume_sender=False)
    ask("reset", keep=["devices"])
    # A reset does not make up for rules that never fired.
    with pytest.raises(ExpectationError, match="not clean: unused-rules: "):
        ask("end", judged=True)
    asyncio.run(apns_server.async_namespace()).end()
    join(apns_server.admin).namespace().end()

    public = {name for name, _ in inspect.getmembers(Operations, inspect.isfunction) if not name.startswith("_")}
    assert used >= public - {"register"}, "all operations were called"
    assert len(calls) > 20
    for call in calls:
        known = operation(document, call.method, urlsplit(call.url).path)
        assert set(call.query) <= {each["name"] for each in known["parameters"]}, f"{call.method} {call.url}: {call.query}"
        assert set(call.body or {}) <= members(known), f"{call.method} {call.url}: {set(call.body or {}) - members(known)}"


def test_a_route_that_changes_is_noticed(document):
    with pytest.raises(AssertionError, match="is no path"):
        operation(document, "GET", "/v1/ns/x/nothing")
    with pytest.raises(AssertionError, match="is not in"):
        operation(document, "DELETE", "/v1/ns/x/clock")
    assert "within" not in members(operation(document, "POST", "/v1/ns/x/requests/query"))


def test_the_annotations_can_be_read():
    for _, method in inspect.getmembers(Operations, inspect.isfunction):
        assert "return" in typing.get_type_hints(method)
