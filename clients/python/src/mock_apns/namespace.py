"""A world of its own on a server: a log, devices, rules, keys and a clock that no other test sees."""

import functools
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar, cast
from urllib.parse import urlsplit

from .errors import MockAPNsError
from .http import Operation, run, run_async
from .operations import Duration, Operations, Time

if TYPE_CHECKING:
    from typing import Coroutine

    from typing_extensions import Concatenate, ParamSpec

    from .server import Server

    P = ParamSpec("P")
T = TypeVar("T")


def _waits(operation: "Callable[Concatenate[Operations, P], Operation[T]]") -> "Callable[Concatenate[_Asking, P], T]":
    @functools.wraps(operation)
    def call(self: "_Asking", *args: Any, **kwargs: Any) -> T:
        __tracebackhide__ = True
        return run(cast("Callable[..., Operation[T]]", operation)(self._operations, *args, **kwargs))

    return cast("Callable[Concatenate[_Asking, P], T]", call)


def _awaits(
    operation: "Callable[Concatenate[Operations, P], Operation[T]]",
) -> "Callable[Concatenate[_Asking, P], Coroutine[Any, Any, T]]":
    @functools.wraps(operation)
    async def call(self: "_Asking", *args: Any, **kwargs: Any) -> T:
        __tracebackhide__ = True
        return await run_async(cast("Callable[..., Operation[T]]", operation)(self._operations, *args, **kwargs))

    return cast("Callable[Concatenate[_Asking, P], Coroutine[Any, Any, T]]", call)


class _Asking:
    def __init__(self, operations: Operations) -> None:
        self._operations = operations


class Clock(_Asking):
    """The clock of a namespace, by which tokens age."""

    now = _waits(Operations.now)
    advance = _waits(Operations.advance)
    freeze = _waits(Operations.freeze)
    resume = _waits(Operations.resume)


class AsyncClock(_Asking):
    """The same, for event loops."""

    now = _awaits(Operations.now)
    advance = _awaits(Operations.advance)
    freeze = _awaits(Operations.freeze)
    resume = _awaits(Operations.resume)


class Device(str):
    """A registered device: its token, and what can become of it."""

    _operations: Operations

    @classmethod
    def _of(cls, operations: Operations, token: str) -> "Device":
        device = cls(token)
        device._operations = operations
        return device

    @property
    def token(self) -> str:
        """The token as a plain text."""
        return str.__str__(self)

    def set(self, state: str, since: Optional[Time] = None) -> None:
        """Puts it into a state: active, offline, unregistered or expired."""
        run(self._operations.change_device(self, state, since))

    def unregister(self, since: Optional[Time] = None) -> None:
        """The app was removed: pushes are answered 410, with `since` as their timestamp."""
        self.set("unregistered", since)

    def inbox(self) -> Dict[str, Any]:
        """What it would be showing now."""
        inbox: Dict[str, Any] = run(self._operations.inbox(self))
        return inbox


@dataclass(frozen=True)
class ClientCertificate:
    """A client certificate as files for a sender."""

    cert_file: str
    key_file: str
    serial: str
    topic: str


class AsyncNamespace(_Asking):
    """A namespace's questions, for event loops."""

    def __init__(self, operations: Operations) -> None:
        super().__init__(operations)
        self.clock = AsyncClock(operations)

    expect = _awaits(Operations.expect)
    expect_none = _awaits(Operations.expect_none)
    verify = _awaits(Operations.verify)
    requests = _awaits(Operations.requests)
    log = _awaits(Operations.log)
    cursor = _awaits(Operations.cursor)
    fail_next = _awaits(Operations.fail_next)
    rule = _awaits(Operations.rule)
    explain = _awaits(Operations.explain)
    reset = _awaits(Operations.reset)


class Namespace(_Asking):
    """A world of its own on a server."""

    def __init__(self, server: "Server", made: Mapping[str, Any]) -> None:
        super().__init__(Operations(server.admin, made["name"]))
        self.server = server
        #: Its name.
        self.name: str = made["name"]
        #: The prefix of its routes.
        self.base = self._operations.base
        ports = made["apns"] or {}

        def own(scheme: str, port: Optional[int], shared: Optional[str]) -> Optional[str]:
            return f"{scheme}://{ports['host']}:{port}" if port else shared

        #: Where senders push.
        self.url: str = own("https", ports.get("port"), server.url) or ""
        #: The same as HTTP/2 in clear text.
        self.h2c_url = own("http", ports.get("h2cPort"), server.h2c_url)
        #: The same as HTTP/1.1 in clear text.
        self.http1_url = own("http", ports.get("http1Port"), server.http1_url)
        parts = urlsplit(self.url)
        #: The host of `url`.
        self.host = parts.hostname or ""
        #: The port of `url`.
        self.port = parts.port or 443
        #: The private key of provider tokens, the text of a .p8 file.
        self.key: str = made["key"]["p8"]
        #: The `kid` of provider tokens.
        self.key_id: str = made["key"]["keyId"]
        #: The `iss` of provider tokens.
        self.team_id: str = made["key"]["teamId"]
        #: The tokens of the devices that were asked for when it was made.
        self.devices = [Device._of(self._operations, token) for token in made["devices"]]
        #: Its clock.
        self.clock = Clock(self._operations)
        #: The same questions for event loops.
        self.aio = AsyncNamespace(self._operations)
        #: Whether it has ended.
        self.ended = False

    expect = _waits(Operations.expect)
    expect_none = _waits(Operations.expect_none)
    verify = _waits(Operations.verify)
    requests = _waits(Operations.requests)
    log = _waits(Operations.log)
    cursor = _waits(Operations.cursor)
    fail_next = _waits(Operations.fail_next)
    rule = _waits(Operations.rule)
    explain = _waits(Operations.explain)
    reset = _waits(Operations.reset)

    def device(
        self, token: Optional[str] = None, *, topics: Sequence[str] = (), environment: Optional[str] = None,
        state: Optional[str] = None, since: Optional[Time] = None,
    ) -> Device:
        """Registers a device, with a random token or a sender's own."""
        made = run(self._operations.register(token, None, topics, environment, state, since))
        return Device._of(self._operations, made[0])

    def register(
        self, count: int, *, topics: Sequence[str] = (), environment: Optional[str] = None, state: Optional[str] = None
    ) -> List[Device]:
        """Registers so many devices with random tokens."""
        made = run(self._operations.register(None, count, topics, environment, state, None))
        return [Device._of(self._operations, token) for token in made]

    @property
    def ca_file(self) -> str:
        """The test CA, which senders must trust."""
        return self.server.ca_file

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts the test CA and nothing else."""
        return self.server.ssl_context()

    @property
    def key_file(self) -> str:
        """The private key as a file."""
        return self.server.file(f"AuthKey_{self.key_id}.p8", self.key)

    def client_certificate(
        self, topic: str = "com.example.app", *, environments: Sequence[str] = (), validity: Optional[Duration] = None,
        revoked: Optional[bool] = None, issuer: Optional[str] = None,
    ) -> ClientCertificate:
        """Issues a client certificate, a good one or a bad one, for this namespace."""
        made = run(self._operations.issue_certificate(topic, environments, validity, revoked, issuer))
        serial = made["serial"]
        return ClientCertificate(
            self.server.file(f"client-{serial}.pem", made["certificate"]),
            self.server.file(f"client-{serial}.key", made["key"]), serial, made["topic"])

    def environment(self, *, trust: bool = False) -> Dict[str, str]:
        """Variables for a sender in a process of its own; `trust` adds those by which programs find what to trust."""
        variables = {
            "MOCK_APNS_URL": self.url, "MOCK_APNS_HOST": self.host, "MOCK_APNS_PORT": str(self.port),
            "MOCK_APNS_H2C_URL": self.h2c_url, "MOCK_APNS_HTTP1_URL": self.http1_url, "MOCK_APNS_ADMIN": self.server.admin,
            "MOCK_APNS_CA_FILE": self.ca_file, "MOCK_APNS_KEY_FILE": self.key_file, "MOCK_APNS_KEY_ID": self.key_id,
            "MOCK_APNS_TEAM_ID": self.team_id,
        }
        if trust:
            bundle = self.server.ca_bundle
            variables.update(
                MOCK_APNS_CA_BUNDLE=bundle, SSL_CERT_FILE=bundle, REQUESTS_CA_BUNDLE=bundle, NODE_EXTRA_CA_CERTS=self.ca_file)
        return {name: value for name, value in variables.items() if value}

    def verdict(self, *, allow: Sequence[str] = ()) -> str:
        """Ends it; raises what the server says when a push was refused unasked, a rule never fired, or a payload was wrong.

        What `allow` names is forgiven: `refused`, `findings`, `unused-rules`, a reason (`BadPriority`) or a code (`P010`).
        """
        __tracebackhide__ = True
        if self.ended:
            raise MockAPNsError(f"The namespace {self.name} has ended already; ask for its verdict once.")
        self.ended = True
        return run(self._operations.end(judged=True, allow=allow))

    def end(self) -> None:
        """Ends it without a judgement."""
        if not self.ended:
            self.ended = True
            run(self._operations.end())

    def __enter__(self) -> "Namespace":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        # An error on its way out is not hidden behind a verdict.
        if error is not None:
            self.end()
        elif not self.ended:
            self.verdict()

    async def __aenter__(self) -> "Namespace":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not self.ended:
            self.ended = True
            await run_async(self._operations.end(judged=error is None))
