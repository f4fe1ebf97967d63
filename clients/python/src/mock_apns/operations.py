"""What can be asked of a namespace: each question once, for callers that wait and for those that await."""

from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from .errors import ExpectationError, MockAPNsError
from .http import Operation, Request

#: An entry of the log, as docs/admin-api.md shows it.
Entry = Dict[str, Any]
#: A matcher object: names of fields, and what they must be.
Match = Mapping[str, Any]
#: Seconds, or a text such as "5s" and "61m".
Duration = Union[str, float, timedelta]
#: A time with its zone, or a text such as "2026-01-01T00:00:00Z" and "-1h".
Time = Union[str, datetime]
Cursor = Union[int, str]


def duration(value: Duration) -> str:
    """The server's way to write a duration."""
    if isinstance(value, str):
        return value
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{round(seconds * 1000)}ms"


def time(value: Time) -> str:
    """The server's way to write a time."""
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise MockAPNsError(f"{value.isoformat()} has no time zone; give the datetime one, such as timezone.utc.")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _maybe(value: Optional[Duration]) -> Optional[str]:
    return None if value is None else duration(value)


class Operations:
    """The questions to one namespace."""

    def __init__(self, admin: str, name: str) -> None:
        self.admin = admin
        self.name = name
        self.base = f"{admin}/v1/ns/{quote(name, safe='')}"

    def _json(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, query: Mapping[str, str] = {}
    ) -> Operation[Any]:
        answer = yield Request(method, self.base + path, body, query)
        return answer.json()

    def _judge(self, path: str, body: Mapping[str, Any]) -> Operation[None]:
        __tracebackhide__ = True
        answer = yield Request("POST", self.base + path, body, as_text=True)
        if answer.status == 417:
            raise ExpectationError(answer.text.rstrip())
        if answer.status >= 300:
            raise MockAPNsError(answer.text.strip())

    def expect(
        self, match: Match = {}, /, *, count: Optional[int] = None, exactly: Optional[int] = None, within: Duration = 5,
        settle: Optional[Duration] = None, after: Cursor = 0, **fields: Any,
    ) -> Operation[List[Entry]]:
        """Waits for pushes that match and gives them; at least one unless told. `outcome="rejected"` asks for refusals."""
        __tracebackhide__ = True
        wanted = {"outcome": "accepted", **match, **fields}
        yield from self._judge("/requests/query", {
            "match": wanted, "wait": duration(within), "after": after, "count": count, "exactly": exactly,
            "settle": _maybe(settle)})
        if exactly == 0:
            return []
        found = yield from self._json("POST", "/requests/query", {"match": wanted, "after": after, "limit": 1000})
        items: List[Entry] = found["items"]
        return items

    def expect_none(
        self, match: Match = {}, /, *, within: Duration = 0.2, after: Cursor = 0, **fields: Any
    ) -> Operation[None]:
        """Nothing matches, and nothing that matches comes for a while."""
        yield from self.expect(match, exactly=0, within=within, after=after, **fields)

    def verify(
        self, expect: Iterable[Mapping[str, Any]], *, ordered: bool = False, no_others: bool = False,
        no_rejections: bool = False, no_findings: Sequence[str] = (), scope: Optional[Match] = None, after: Cursor = 0,
        within: Duration = 5, settle: Optional[Duration] = None,
    ) -> Operation[None]:
        """Several expectations at once, each with `match` and, if need be, `name`, `count` or `exactly`."""
        yield from self._judge("/verify", {
            "expect": list(expect), "ordered": ordered, "noOthers": no_others, "noRejections": no_rejections,
            "noFindings": list(no_findings) or None, "scope": scope, "after": after, "wait": duration(within),
            "settle": _maybe(settle)})

    def requests(
        self, match: Match = {}, /, *, after: Cursor = 0, limit: int = 1000, order: str = "asc", **fields: Any
    ) -> Operation[List[Entry]]:
        """What has arrived by now: accepted, rejected, faulted and broken, unless `outcome` says which."""
        found = yield from self._json(
            "POST", "/requests/query", {"match": {**match, **fields}, "after": after, "limit": limit, "order": order})
        items: List[Entry] = found["items"]
        return items

    def log(self, *, limit: int = 50) -> Operation[str]:
        """The newest entries, as lines for people."""
        answer = yield Request(
            "GET", self.base + "/requests", query={"limit": str(limit), "order": "desc"}, as_text=True)
        return answer.text.rstrip()

    def cursor(self) -> Operation[int]:
        """The number of the last entry, for `after`."""
        answer = yield from self._json("GET", "/cursor")
        return int(answer["cursor"])

    def fail_next(
        self, reason: Optional[str] = None, /, *, fault: Optional[str] = None, times: int = 1,
        delay: Optional[Duration] = None, device: Optional[str] = None, topic: Optional[str] = None,
        match: Optional[Match] = None, **more: Any,
    ) -> Operation[Dict[str, Any]]:
        """Lets the next pushes fail, by a reason of Apple's or a fault of the connection."""
        rule: Dict[str, Any] = yield from self._json("POST", "/fail-next", {
            "reason": reason, "fault": fault, "times": times, "delay": _maybe(delay), "device": device, "topic": topic,
            "match": match, **more})
        return rule

    def rule(
        self, then: Mapping[str, Any], *, match: Optional[Match] = None, when: Optional[Mapping[str, Any]] = None,
        id: Optional[str] = None, stage: Optional[str] = None, priority: Optional[int] = None,
        ttl: Optional[Duration] = None, note: Optional[str] = None, go_on: Optional[bool] = None,
    ) -> Operation[Dict[str, Any]]:
        """Adds a rule, as docs/scripting.md describes them; `go_on` is its `continue`."""
        rule: Dict[str, Any] = yield from self._json("POST", "/rules", {
            "then": then, "match": match, "when": when, "id": id, "stage": stage, "priority": priority,
            "ttl": _maybe(ttl), "note": note, "continue": go_on})
        return rule

    def register(
        self, token: Optional[str] = None, count: Optional[int] = None, topics: Sequence[str] = (),
        environment: Optional[str] = None, state: Optional[str] = None, since: Optional[Time] = None,
    ) -> Operation[List[str]]:
        """Registers devices, and gives their tokens."""
        made = yield from self._json("POST", "/devices", {
            "token": token, "count": count, "topics": list(topics) or None, "environment": environment, "state": state,
            "since": None if since is None else time(since)})
        return [item["token"] for item in made["items"]]

    def change_device(self, token: str, state: str, since: Optional[Time]) -> Operation[Any]:
        """Changes the state of a device."""
        return self._json("PATCH", f"/devices/{quote(token)}", {
            "state": state, "since": None if since is None else time(since)})

    def inbox(self, token: str) -> Operation[Any]:
        """What a device would be showing now."""
        return self._json("GET", f"/devices/{quote(token)}/inbox")

    def explain(
        self, device: str, payload: Any = None, *, headers: Mapping[str, str] = {}, payload_text: Optional[str] = None,
        environment: Optional[str] = None, assume_sender: bool = True,
    ) -> Operation[Dict[str, Any]]:
        """What would be answered to a push, and why; nothing is sent."""
        explanation: Dict[str, Any] = yield from self._json("POST", "/explain", {
            "device": device, "payload": payload, "headers": dict(headers), "payloadText": payload_text,
            "environment": environment, "assumeSender": assume_sender})
        return explanation

    def issue_certificate(
        self, topic: str, environments: Sequence[str], validity: Optional[Duration], revoked: Optional[bool],
        issuer: Optional[str],
    ) -> Operation[Dict[str, Any]]:
        """Issues a client certificate."""
        made: Dict[str, Any] = yield from self._json("POST", "/certs", {
            "topic": topic, "environments": list(environments) or None, "validity": _maybe(validity),
            "revoked": revoked, "issuer": issuer})
        return made

    def reset(self, *, keep: Sequence[str] = ()) -> Operation[None]:
        """Back to the state at start: no entries, no rules, the clock as it was."""
        yield from self._json("POST", "/reset", {"keep": list(keep)})

    def now(self) -> Operation[datetime]:
        """The time that the server goes by."""
        answer = yield from self._json("GET", "/clock")
        return datetime.fromisoformat(answer["now"].replace("Z", "+00:00"))

    def advance(self, by: Duration) -> Operation[None]:
        """Moves the clock on: `61m`."""
        yield from self._json("POST", "/clock", {"advance": duration(by)})

    def freeze(self, at: Time = "now") -> Operation[None]:
        """Lets the clock stand still, now or at a time."""
        yield from self._json("PUT", "/clock", {"freeze": time(at)})

    def resume(self) -> Operation[None]:
        """The machine's time again."""
        yield from self._json("PUT", "/clock", {"mode": "real"})

    def end(self, *, judged: bool = False, allow: Sequence[str] = ()) -> Operation[str]:
        """Ends the namespace; judged, it raises what the server says when something unexpected happened in it."""
        url = f"{self.admin}/v1/namespaces/{quote(self.name, safe='')}"
        query = {"verdict": "clean"} if judged else {}
        log = ""
        if allow:
            log = yield from self.log()
        answer = yield Request("DELETE", url, query=query, as_text=not allow)
        if answer.status == 417 and not allow:
            raise ExpectationError(answer.text.rstrip())
        if answer.status == 417:
            verdict = answer.json_of_refusal()
            if not allowed(verdict, allow):
                raise ExpectationError(f"{verdict['detail']}\nallowed: {', '.join(allow)}\n{log}".rstrip())
            return f"{verdict['detail']}\nallowed: {', '.join(allow)}"
        if answer.status >= 300 and answer.status != 404:
            raise MockAPNsError(answer.text.strip())
        return answer.text.rstrip() if not allow else "clean"


def allowed(verdict: Mapping[str, Any], allow: Sequence[str]) -> bool:
    """Whether all that makes a verdict unclean is allowed: by `refused`, `findings`, `unused-rules`, a reason or a code."""
    names = set(allow)

    def is_refusal_allowed(entry: Entry) -> bool:
        return "refused" in names or entry["response"]["reason"] in names

    def is_finding_allowed(entry: Entry) -> bool:
        if entry["outcome"] == "rejected" and is_refusal_allowed(entry):
            return True
        return all(each["code"] in names for each in entry["findings"] if each["severity"] == "error")

    # The lists have an end; what is not listed cannot be judged by its name.
    refused, faulty = verdict["refused"], verdict["findings"]
    are_refusals_allowed = "refused" in names or (
        len(refused) == verdict["unexpectedRefusals"] and all(map(is_refusal_allowed, refused)))
    are_findings_allowed = "findings" in names or (
        len(faulty) == verdict["errorFindings"] and all(map(is_finding_allowed, faulty)))
    return are_refusals_allowed and are_findings_allowed and ("unused-rules" in names or not verdict["unusedRuleCount"])
