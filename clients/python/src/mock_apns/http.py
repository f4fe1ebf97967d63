"""One request, one connection, one answer: over sockets and over asyncio, with the same bytes."""

import asyncio
import json
import os
import socket
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, List, Mapping, Optional, TypeVar
from urllib.parse import urlencode, urlsplit

from .errors import MockAPNsError

T = TypeVar("T")


@dataclass
class Request:
    """A call of the admin API."""

    method: str
    url: str
    body: Optional[Mapping[str, Any]] = None
    query: Mapping[str, str] = field(default_factory=dict)
    as_text: bool = False


@dataclass
class Answer:
    """What the server said."""

    status: int
    text: str

    def json(self) -> Any:
        """The answer as an object; a refusal raises what the server says of it."""
        if self.status >= 300:
            raise MockAPNsError(_sentence(self.text))
        return json.loads(self.text)

    def json_of_refusal(self) -> Any:
        """A refusal as an object."""
        return json.loads(self.text)


#: What is asked, step by step; whoever runs it decides how bytes travel.
Operation = Generator[Request, Answer, T]

#: Sees every request; for the test that compares them with the OpenAPI document.
observer: Optional[Callable[[Request], None]] = None

#: Longer than any wait that the server allows.
_TIMEOUT = 90.0


def _sentence(text: str) -> str:
    try:
        problem = json.loads(text)
    except ValueError:
        return text.strip()
    if not isinstance(problem, dict):
        return text.strip()
    return " ".join(str(problem[name]) for name in ("title", "detail", "hint") if problem.get(name))


def _place(request: Request) -> "tuple[str, int]":
    parts = urlsplit(request.url)
    if parts.scheme != "http" or not parts.hostname:
        raise MockAPNsError(f"{request.url} is no address of the admin API; it is like http://127.0.0.1:2198.")
    return parts.hostname, parts.port or 80


def _bytes(request: Request) -> bytes:
    if observer:
        observer(request)
    parts = urlsplit(request.url)
    target = parts.path or "/"
    if request.query:
        target += "?" + urlencode(request.query)
    lines: List[str] = [
        f"{request.method} {target} HTTP/1.1",
        f"host: {parts.netloc}",
        "connection: close",
        f"accept: {'text/plain' if request.as_text else '*/*'}",
    ]
    token = os.environ.get("MOCK_APNS_ADMIN_TOKEN")
    if token:
        lines.append(f"authorization: Bearer {token}")
    body = b""
    if request.body is not None:
        body = json.dumps({name: value for name, value in request.body.items() if value is not None}).encode()
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _answer(request: Request, received: bytes) -> Answer:
    head, end, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    if not end or len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise MockAPNsError(f"{request.url} broke off its answer; the server has ended, or something else listens there.")
    fields: Dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    if len(body) < int(fields.get("content-length", "0")):
        raise MockAPNsError(f"{request.url} broke off its answer; the server has ended.")
    return Answer(int(words[1]), body.decode())


def _no_answer(request: Request, error: OSError) -> MockAPNsError:
    said = error.strerror or str(error) or type(error).__name__
    return MockAPNsError(
        f"{'%s:%d' % _place(request)} does not answer ({said}); the server has ended, or was never there: check MOCK_APNS_ADMIN."
    )


def send(request: Request) -> Answer:
    """Asks, and waits for the answer."""
    try:
        with socket.create_connection(_place(request), timeout=_TIMEOUT) as connection:
            connection.sendall(_bytes(request))
            parts: List[bytes] = []
            while True:
                part = connection.recv(65536)
                if not part:
                    return _answer(request, b"".join(parts))
                parts.append(part)
    except OSError as error:
        raise _no_answer(request, error) from None


async def send_async(request: Request) -> Answer:
    """Asks, and lets others run until the answer is there."""
    try:
        host, port = _place(request)
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(_bytes(request))
            return _answer(request, await asyncio.wait_for(reader.read(), _TIMEOUT))
        finally:
            writer.close()
    except asyncio.TimeoutError:
        raise _no_answer(request, TimeoutError("timed out")) from None
    except OSError as error:
        raise _no_answer(request, error) from None


def run(operation: Operation[T]) -> T:
    """Runs an operation to its end."""
    __tracebackhide__ = True
    try:
        request = next(operation)
        while True:
            request = operation.send(send(request))
    except StopIteration as end:
        result: T = end.value
        return result


async def run_async(operation: Operation[T]) -> T:
    """Runs an operation to its end in an event loop."""
    __tracebackhide__ = True
    try:
        request = next(operation)
        while True:
            request = operation.send(await send_async(request))
    except StopIteration as end:
        result: T = end.value
        return result
