"""A stand-in for Apple's Push Notification service, for tests."""

from importlib.metadata import PackageNotFoundError, version

from .errors import ExpectationError, MockAPNsError
from .namespace import AsyncClock, AsyncNamespace, ClientCertificate, Clock, Device, Namespace
from .operations import Duration, Entry, Match, Time
from .program import find_program
from .server import Server, join, start

try:
    __version__ = version("mock-apns")
except PackageNotFoundError:  # Used from its source, without an installation.
    __version__ = "unknown"

__all__ = [
    "AsyncClock", "AsyncNamespace", "ClientCertificate", "Clock", "Device", "Duration", "Entry", "ExpectationError", "Match",
    "MockAPNsError", "Namespace", "Server", "Time", "find_program", "join", "start",
]
