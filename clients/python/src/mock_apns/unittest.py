"""For unittest and Django: `class OrderTests(MockAPNsMixin, TestCase)`."""

import os
import re
import secrets
from typing import Any, Callable, ClassVar, Dict, Optional, Sequence

from .namespace import Namespace
from .server import Server, join, start

_servers: Dict[int, Server] = {}


def shared_server() -> Server:
    """The one server of this process, started when it is first asked for; the one at MOCK_APNS_ADMIN, if that is set."""
    # By process: a child of a fork, as Django's --parallel makes them, has a server of its own.
    here = os.getpid()
    if here not in _servers:
        _servers[here] = join() if os.environ.get("MOCK_APNS_ADMIN") else start()
    return _servers[here]


def namespace_name(test: str) -> str:
    """A name that a namespace may have, made of a test's and of chance."""
    return f"{re.sub('[^A-Za-z0-9.]+', '-', test).strip('-.')[-60:] or 'test'}-{secrets.token_hex(4)}"


class MockAPNsMixin:
    """Gives each test a namespace, `self.apns`; a test in which a push was refused unasked fails."""

    #: What the verdict forgives, as in Namespace.verdict.
    apns_allow: ClassVar[Sequence[str]] = ()
    #: How pushes are judged: strict, live or lenient.
    apns_profile: ClassVar[Optional[str]] = None

    apns: Namespace
    id: Callable[[], str]
    addCleanup: Callable[..., Any]

    def setUp(self) -> None:
        """Makes the namespace; call it from a setUp of your own."""
        super().setUp()  # type: ignore[misc]
        self.apns = shared_server().namespace(namespace_name(self.id()), profile=self.apns_profile)
        self.addCleanup(self._end)

    def _end(self) -> None:
        if not self.apns.ended:
            self.apns.verdict(allow=self.apns_allow)
