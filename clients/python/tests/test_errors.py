"""What goes wrong before the first push is one sentence with the fix."""
import os
import platform
import signal
import socket
import subprocess
import sys

import pytest

from mock_apns import MockAPNsError, find_program, join, program, start

OTHER = 0xB7 if platform.machine() == "x86_64" else 0x3E


@pytest.fixture
def make(tmp_path):
    def make(content, mode=0o755, name="mock-apns"):
        file = tmp_path / name
        file.write_bytes(content)
        file.chmod(mode)
        return str(file)

    return make


def elf(machine):
    return b"\x7fELF" + bytes(14) + machine.to_bytes(2, "little") + bytes(44)


ROWS = {
    "another processor": (elf(OTHER), {}, r"is a program for linux-(aarch64|x86_64), and this is .*; install the wheel for "),
    "another system": (b"MZ" + bytes(60), {}, r"is a program for win32, and this is .*; install the wheel for "),
    "one for macOS": (b"\xcf\xfa\xed\xfe\x0c\0\0\x01" + bytes(60), {}, r"is a program for darwin-arm64, and this is linux"),
    "no loader": (b"#!/nowhere/sh\n", {}, "its loader is not: .*; use the static program"),
    "no program at all": (b"hello\n", {}, r"cannot be started \(Exec format error\); .*MOCK_APNS_PROGRAM"),
    "it ends": (b"#!/bin/sh\necho out of luck >&2\nexit 3\n", {}, "ended at its start with exit code 3: out of luck"),
    "it is killed": (b"#!/bin/sh\nkill -9 $$\n", {}, "ended at its start with SIGKILL: it wrote nothing"),
    "it says nothing": (b"#!/bin/sh\nread line\n", {"timeout": 0.3}, "was not ready within 0.3 s .*`timeout`"),
    "it closes its output": (b"#!/bin/sh\nexec cat >/dev/null\n", {"timeout": 0.3}, "was not ready within 0.3 s .*`timeout`"),
    "it says something else": (b"#!/bin/sh\necho hello\nexec cat\n", {}, 'wrote "hello" where mock-apns writes its ready line'),
    "it says other JSON": (b"#!/bin/sh\necho '[1]'\nexec cat\n", {}, "where mock-apns writes its ready line; set MOCK_APNS_PROGRAM"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the programs of the rows are judged as on Linux")
@pytest.mark.parametrize("row", ROWS)
def test_a_program_that_does_not_serve(make, row):
    content, options, message = ROWS[row]
    with pytest.raises(MockAPNsError, match=message) as raised:
        start(program=make(content), **options)
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may do everything")
def test_a_program_that_may_not_be_run(make):
    with pytest.raises(MockAPNsError, match=r"may not be executed; run chmod \+x "):
        start(program=make(b"#!/bin/sh\n", 0o644))


def test_a_flag_that_is_none():
    with pytest.raises(MockAPNsError, match="exit code 64: .*--ephemeral"):
        start(args=["--ephemerall"])


def test_a_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as other:
        with pytest.raises(MockAPNsError, match="exit code 73: .*Address already in use; choose another address, or port 0"):
            start(args=["--admin-listen", f"127.0.0.1:{other.getsockname()[1]}"])


def run(code, **environment):
    """Python in a process of its own: the places for temporary files are found once in a process."""
    changed = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env={name: value for name, value in changed.items() if value is not None},
        capture_output=True, text=True, cwd="/proc" if sys.platform == "linux" else None)


def test_no_folder_for_temporary_files():
    # Root may write everywhere; what Python tries is replaced by folders that nobody may.
    code = "import tempfile; tempfile._candidate_tempdir_list = lambda: ['/proc/nowhere']; import mock_apns; mock_apns.start()"
    done = run(code)
    assert done.stderr.strip().splitlines()[-1].startswith("mock_apns.errors.MockAPNsError: mock-apns needs a folder")
    assert "set TMPDIR to one that can" in done.stderr


def test_a_home_that_cannot_be_written_is_not_asked():
    code = "import mock_apns\nwith mock_apns.start() as server: server.namespace().verdict(); print('fine')"
    assert run(code, HOME="/proc/nowhere", XDG_CACHE_HOME=None).stdout == "fine\n"


def test_a_server_that_is_not_there():
    with pytest.raises(MockAPNsError, match=r"127\.0\.0\.1:9 does not answer \(Connection refused\).*MOCK_APNS_ADMIN"):
        join("http://127.0.0.1:9")


def test_an_address_that_is_none():
    with pytest.raises(MockAPNsError, match="is no address of the admin API; it is like http"):
        join("127.0.0.1:2198")


def test_a_refused_question_is_what_the_server_says(apns):
    with pytest.raises(MockAPNsError, match="[Dd]id you mean"):
        apns.requests(topc="com.example.app")


def test_where_the_program_is_looked_for(make, monkeypatch, tmp_path):
    monkeypatch.setattr(program, "BUNDLED", tmp_path / "none")
    monkeypatch.setenv("MOCK_APNS_PROGRAM", "/nowhere/mock-apns")
    with pytest.raises(MockAPNsError, match="MOCK_APNS_PROGRAM is /nowhere/mock-apns, and there is no such file; set it"):
        find_program()
    monkeypatch.delenv("MOCK_APNS_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MockAPNsError, match="was not found: .*; install the wheel for this platform, or set MOCK_APNS_PROGRAM"):
        find_program()
    # What pip makes of the console script is not the program.
    script = make(b"#!/usr/bin/python3\nimport mock_apns\n")
    with pytest.raises(MockAPNsError, match="was not found"):
        find_program()
    os.remove(script)
    assert find_program(make(b"\x7fELF", name="given")) == str(tmp_path / "given")
    in_path = make(b"\x7fELF")
    assert find_program() == in_path
    bundled = tmp_path / "none"
    bundled.write_bytes(b"\x7fELF")
    assert find_program() == str(bundled)


@pytest.mark.parametrize("made, system, machine, fits", [
    ("linux-x86_64", "linux", "x86_64", True), ("linux-x86_64", "linux", "aarch64", False),
    ("linux-aarch64", "linux", "aarch64", True), ("linux-x86_64", "darwin", "x86_64", False),
    ("darwin-arm64", "darwin", "arm64", True), ("darwin-arm64", "darwin", "x86_64", False),
    ("darwin-x86_64", "darwin", "arm64", True), ("darwin-universal", "darwin", "arm64", True),
    ("darwin-universal", "linux", "x86_64", False), ("win32", "linux", "x86_64", False),
])
def test_what_runs_where(made, system, machine, fits):
    assert program.fits(made, system, machine) == fits


def gone(port):
    """Whether nothing listens there any more; waits for the end of what does."""
    for _ in range(400):
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                connection.settimeout(5)
                connection.recv(1)  # Returns when the server ends.
        except ConnectionRefusedError:
            return True
        except OSError:
            continue
    return False


def test_the_server_ends_with_its_parent_however_that_ends():
    code = "import mock_apns, sys; print(mock_apns.start().admin, flush=True); sys.stdin.read()"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(parent.stdout.readline().rsplit(":", 1)[1])
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    assert gone(port)


def test_nothing_is_left_of_a_server():
    code = "import mock_apns; s = mock_apns.start(); n = s.namespace(); print(n.key_file, n.ca_file, sep='\\n')"
    files = run(code).stdout.split()
    assert len(files) == 2 and not any(os.path.exists(file) for file in files)


def test_the_module_is_the_program():
    done = subprocess.run([sys.executable, "-m", "mock_apns", "serve", "--no-such-flag"], capture_output=True, text=True)
    assert done.returncode == 64
    done = subprocess.run(
        [sys.executable, "-m", "mock_apns"], capture_output=True, text=True, env={**os.environ, "MOCK_APNS_PROGRAM": "/nowhere"})
    assert done.returncode == 1
    assert done.stderr.startswith("mock-apns: MOCK_APNS_PROGRAM is /nowhere, and there is no such file")
    assert done.stderr.count("\n") == 1
