"""The pytest plugin: one server for the session, a namespace for each test, its verdict at the end."""

import os
import shutil
import tempfile
from typing import Any, Dict, Generator, Iterator, List, Optional

import pytest

from .errors import ExpectationError, MockAPNsError
from .namespace import Namespace
from .server import Server, join, start
from .unittest import namespace_name

_FOLDER = "mock_apns_folder"
_OWNER = "mock_apns_owner"
_MARKER_NAMES = {"allow", "devices", "profile", "seed", "topics"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of pytest.ini and pyproject.toml."""
    parser.addini("mock_apns_program", "the program, instead of the one that comes with the package")
    parser.addini("mock_apns_args", "further flags of `mock-apns serve`", type="args", default=[])
    parser.addini("mock_apns_timeout", "how many seconds the server may take to start", default="10")
    parser.addini("mock_apns_profile", "how pushes are judged: strict, live or lenient")
    parser.addini("mock_apns_allow", "what no verdict minds, as in the marker", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line(
        "markers",
        "apns(profile=..., allow=[...], devices=N, topics=[...], seed=N): the namespace of the fixture `apns`; "
        "`allow` names what its verdict does not mind: refused, findings, unused-rules, a reason or a code.",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a worker of pytest-xdist where all of them meet, and with whom their server ends."""
    config = node.config
    if not hasattr(config, _FOLDER):
        try:
            setattr(config, _FOLDER, tempfile.mkdtemp(prefix="mock-apns-"))
        except OSError:
            setattr(config, _FOLDER, "")  # Whoever needs a server says so; others do not mind.
    node.workerinput[_FOLDER] = getattr(config, _FOLDER)
    node.workerinput[_OWNER] = os.getpid()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the server of the workers."""
    folder: Optional[str] = getattr(config, _FOLDER, None)
    if not folder:
        return
    try:
        with open(os.path.join(folder, "admin")) as file:
            _shut_down(file.read())
    except OSError:
        pass  # No test wanted one.
    shutil.rmtree(folder, ignore_errors=True)


def _shut_down(admin: str) -> None:
    from .http import Request, send

    try:
        send(Request("POST", f"{admin}/v1/shutdown"))
    except MockAPNsError:
        pass  # It has ended already.


def _start(config: pytest.Config, **more: Any) -> Server:
    timeout = str(config.getini("mock_apns_timeout"))
    try:
        seconds = float(timeout)
    except ValueError:
        raise pytest.UsageError(f"mock_apns_timeout is {timeout!r}; it must be a number of seconds.") from None
    program = config.getini("mock_apns_program") or None
    return start(program=program, args=config.getini("mock_apns_args"), timeout=seconds, **more)


def _shared(config: pytest.Config, folder: str, owner: int) -> Server:
    """The server of all workers: the first that comes starts it, the others join."""
    import fcntl

    if not folder:
        raise MockAPNsError(
            "pytest-xdist needs a folder in which its workers meet, and no folder for temporary files can be written; set TMPDIR.")
    meeting = os.path.join(folder, "admin")
    with open(os.path.join(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(meeting):
            with open(meeting) as file:
                return join(file.read())
        server = _start(config, folder=folder, parent=owner)
        with open(meeting, "w") as file:
            file.write(server.admin)
        return server


@pytest.fixture(scope="session")
def apns_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server: one for the session and for all workers of pytest-xdist. It ends with the session, however that ends."""
    worker: Dict[str, Any] = getattr(request.config, "workerinput", {})
    if os.environ.get("MOCK_APNS_ADMIN"):
        yield join()
    elif _FOLDER in worker:
        yield _shared(request.config, worker[_FOLDER], worker[_OWNER])
    else:
        with _start(request.config) as server:
            yield server


def _marked(item: pytest.Item) -> Dict[str, Any]:
    options: Dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("apns"))):
        unknown = set(marker.kwargs) - _MARKER_NAMES
        if unknown or marker.args:
            what = ", ".join([*map(repr, marker.args), *sorted(unknown)])
            raise pytest.UsageError(f"the marker apns does not take {what}; it takes {', '.join(sorted(_MARKER_NAMES))} by name.")
        options.update(marker.kwargs)
    return options


@pytest.fixture
def apns(request: pytest.FixtureRequest, apns_server: Server) -> Iterator[Namespace]:
    """A world of its own for this test. When the test is over its verdict is asked for: a push that was refused unasked, a
    rule that never fired or a payload that no phone would understand fails the test, unless the marker allows it."""
    options = _marked(request.node)
    options.pop("allow", None)
    options.setdefault("profile", request.config.getini("mock_apns_profile") or None)
    namespace = apns_server.namespace(namespace_name(request.node.name), **options)
    yield namespace
    namespace.end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Asks for the verdict while it can still fail the test, and puts it into the report."""
    try:
        result = yield
    except BaseException:
        _report(item, fails=False)
        raise
    _report(item, fails=True)
    return result


def _report(item: pytest.Item, *, fails: bool) -> None:
    __tracebackhide__ = True
    namespace = getattr(item, "funcargs", {}).get("apns")
    if not isinstance(namespace, Namespace) or namespace.ended:
        return
    allow: List[str] = [*item.config.getini("mock_apns_allow"), *_marked(item).get("allow", [])]
    try:
        log = namespace.log()
        try:
            verdict = namespace.verdict(allow=allow)
        except ExpectationError as unclean:
            item.add_report_section("call", "mock-apns", f"{unclean}")
            if fails:
                pytest.fail(str(unclean), pytrace=False)
        else:
            item.add_report_section("call", "mock-apns", "\n".join(part for part in (verdict, log) if part))
    except MockAPNsError:
        # The server has ended; a test that failed has its own reason to tell.
        if fails:
            raise
