"""A server that ends with whoever started it."""

import atexit
import json
import os
import secrets
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

from .errors import MockAPNsError
from .http import Answer, Operation, Request, run, run_async
from .namespace import Namespace
from .operations import Duration, duration
from .program import check_program, find_program

Path_ = Union[str, "os.PathLike[str]"]
#: Free ports, as --ephemeral has them, without its end by standard input.
_FREE = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--h2c-listen", "127.0.0.1:0",
         "--http1-listen", "127.0.0.1:0", "--ready", "json"]

#: Servers that end with another process; held, so that nobody complains that they are still running.
_others: "List[subprocess.Popen[str]]" = []


class Server:
    """A running server: where it is, and what senders trust."""

    def __init__(
        self, facts: Mapping[str, Any], *, folder: Optional[str] = None, process: "Optional[subprocess.Popen[str]]" = None,
        has_reachable_ports: bool = True, ca: Optional[str] = None, program: Optional[str] = None,
    ) -> None:
        #: The ready line, read.
        self.facts = facts
        #: The address of the admin API.
        self.admin: str = facts["admin"]
        #: Where senders push, when their pushes need no namespace of their own.
        self.url: Optional[str] = (facts.get("apns") or {}).get("url")
        self.h2c_url: Optional[str] = (facts.get("h2c") or {}).get("url")
        self.http1_url: Optional[str] = (facts.get("http1") or {}).get("url")
        self._folder = folder
        self._process = process
        self._owner = os.getpid()
        self._has_reachable_ports = has_reachable_ports
        self._ca = ca
        self._program = program
        self._bundle: Optional[str] = None

    def namespace(
        self, name: Optional[str] = None, *, profile: Optional[str] = None, seed: Optional[int] = None,
        devices: Optional[int] = None, topics: Sequence[str] = (), ttl: Duration = "1h",
    ) -> Namespace:
        """Makes a world of its own, with ports and a key of its own."""
        return run(self._make(name, profile, seed, devices, topics, ttl))

    async def async_namespace(
        self, name: Optional[str] = None, *, profile: Optional[str] = None, seed: Optional[int] = None,
        devices: Optional[int] = None, topics: Sequence[str] = (), ttl: Duration = "1h",
    ) -> Namespace:
        """The same in an event loop."""
        return await run_async(self._make(name, profile, seed, devices, topics, ttl))

    def _make(
        self, name: Optional[str], profile: Optional[str], seed: Optional[int], devices: Optional[int],
        topics: Sequence[str], ttl: Duration,
    ) -> Operation[Namespace]:
        answer = yield Request("POST", f"{self.admin}/v1/namespaces", {
            "name": name or f"python-{secrets.token_hex(6)}", "ttl": duration(ttl), "key": True,
            # The ports of a server in a container cannot be reached; there its key tells whose a push is.
            "port": 0 if self._has_reachable_ports else None, "profile": profile, "seed": seed, "devices": devices,
            "topics": list(topics) or None})
        return Namespace(self, answer.json())

    @property
    def ca_file(self) -> str:
        """The test CA, which senders must trust."""
        return self.file("ca.pem", self._ca) if self._ca else str(self.facts["caFile"])

    @property
    def ca_bundle(self) -> str:
        """The system's roots and the test CA in one file, as `mock-apns ca --bundle` makes it."""
        if self._bundle is None:
            target = self.file("ca-bundle.pem", "")
            done = subprocess.run(
                [find_program(self._program), "ca", "--bundle", "-O", target, "--admin", self.admin], capture_output=True, text=True)
            if done.returncode != 0:
                raise MockAPNsError(done.stderr.strip())
            self._bundle = target
        return self._bundle

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts the test CA and nothing else."""
        return ssl.create_default_context(cafile=self.ca_file)

    def file(self, name: str, text: str) -> str:
        """Writes a file for senders that want one; it goes with the server."""
        if self._folder is None:
            self._folder = _make_folder()
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        target = Path(self._folder, name)
        # Written whole under another name first: other processes may be reading it.
        part = target.with_name(f"{name}.{secrets.token_hex(4)}")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        part.replace(target)
        return str(target)

    def stop(self) -> None:
        """Ends it; only where it was started."""
        # A child of a fork has a copy of this object, and the server is not its own.
        if self._process is None or self._owner != os.getpid():
            return
        process, self._process = self._process, None
        atexit.unregister(self.stop)
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.stop()


def start(
    *, program: Optional[str] = None, args: Sequence[str] = (), timeout: float = 10, folder: Optional[Path_] = None,
    parent: Optional[int] = None,
) -> Server:
    """Starts a server on free ports. It ends by stop(), and with this process, however that ends; with the process `parent`
    instead, when that is given."""
    file = find_program(program)
    check_program(file)
    place = str(folder) if folder else _make_folder()
    end = [*_FREE, "--parent-pid", str(parent)] if parent else ["--ephemeral"]
    command = [file, "serve", *end, "--certs", os.path.join(place, "certs"), "--log", "off", "--quiet", *args]
    try:
        process, facts = _launch(command, timeout, place, has_parent=parent is not None)
    except BaseException:
        if not folder:
            shutil.rmtree(place, ignore_errors=True)
        raise
    if parent:
        _others.append(process)
        return Server(facts, folder=place, program=file)
    server = Server(facts, folder=place, process=process, program=file)
    atexit.register(server.stop)
    return server


def _make_folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="mock-apns-")
    except OSError as error:
        raise MockAPNsError(
            f"mock-apns needs a folder for its test CA, and no folder for temporary files can be written ({error.strerror}); "
            "set TMPDIR to one that can."
        ) from None


def _launch(command: List[str], timeout: float, folder: str, *, has_parent: bool) -> "tuple[subprocess.Popen[str], Dict[str, Any]]":
    file = command[0]
    complaints = os.path.join(folder, "stderr.txt")
    try:
        with open(complaints, "w") as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL if has_parent else subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                text=True, start_new_session=True)  # Control-C is for the tests, which then end the server.
    except OSError as error:
        if isinstance(error, FileNotFoundError) and os.path.isfile(file):
            raise MockAPNsError(
                f"{file} is there but its loader is not: it was built for another C library; use the static program."
            ) from None
        if error.filename == complaints:
            raise MockAPNsError(f"{folder} cannot be written ({error.strerror}); set TMPDIR to a folder that can.") from None
        raise MockAPNsError(
            f"{file} cannot be started ({error.strerror}); check it, or set MOCK_APNS_PROGRAM to another.") from None

    def said() -> str:
        return Path(complaints).read_text(errors="replace")[-4096:].strip() or "it wrote nothing to standard error"

    assert process.stdout is not None
    line = _first_line(process.stdout, timeout)
    if line is None or (not line and _goes_on(process, timeout)):
        _kill(process)
        raise MockAPNsError(
            f"{file} was not ready within {timeout:g} s ({said()}); give it longer with `timeout`, "
            "or run it by hand to see what it waits for.")
    if not line:
        code = process.wait()
        end = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise MockAPNsError(f"{file} ended at its start with {end}: {said()}")
    try:
        facts = json.loads(line)
        facts["admin"]
    except (ValueError, TypeError, KeyError):
        _kill(process)
        raise MockAPNsError(
            f'{file} wrote "{line.strip()[:80]}" where mock-apns writes its ready line; set MOCK_APNS_PROGRAM to mock-apns.'
        ) from None
    return process, facts


def _first_line(stream: IO[str], timeout: float) -> Optional[str]:
    lines: List[str] = []
    reader = threading.Thread(target=lambda: lines.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(timeout)
    return lines[0] if lines else None


def _goes_on(process: "subprocess.Popen[str]", timeout: float) -> bool:
    """Whether a process that closed its output does not end."""
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        return True
    return False


def _kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()


def join(admin: Optional[str] = None) -> Server:
    """Joins a server that somebody else has started: the one at `admin`, or at MOCK_APNS_ADMIN."""
    return run(_join((admin or os.environ.get("MOCK_APNS_ADMIN") or "http://127.0.0.1:2198").rstrip("/")))


def _join(admin: str) -> Operation[Server]:
    answer: Answer = yield Request("GET", f"{admin}/v1/info")
    info = answer.json()
    answer = yield Request("GET", f"{admin}/v1/ca.pem")
    if answer.status != 200:
        answer.json()
    host = urlsplit(admin).hostname

    def listener(kind: str, scheme: str, variable: str) -> Dict[str, Optional[str]]:
        if os.environ.get(variable):
            return {"url": os.environ[variable]}
        for each in info["listeners"]:
            if each["kind"] == kind:
                # Listeners on all addresses are reached where the admin API is.
                address = each["address"].replace("0.0.0.0:", f"{host}:").replace("[::]:", f"{host}:")
                return {"url": f"{scheme}://{address}"}
        return {"url": None}

    facts = {
        **info, "admin": admin, "apns": listener("apns", "https", "MOCK_APNS_URL"),
        "h2c": listener("h2c", "http", "MOCK_APNS_H2C_URL"), "http1": listener("http1", "http", "MOCK_APNS_HTTP1_URL")}
    return Server(facts, has_reachable_ports=_is_file(info["ca"]["file"], answer.text), ca=answer.text)


def _is_file(path: str, text: str) -> bool:
    try:
        return Path(path).read_text() == text
    except OSError:
        return False
