"""The pytest plugin, in sessions of its own."""
import os
import select
import signal
import subprocess
import sys

import pytest
from test_errors import gone

PUSH = """
import pytest, sys
sys.path.insert(0, {here!r})
from sender import Sender

@pytest.fixture
def sender(apns):
    sender = Sender(apns)
    yield sender
    sender.close()
"""


@pytest.fixture
def session(pytester):
    """A session with a sender."""
    pytester.makeconftest(PUSH.format(here=os.path.dirname(__file__)))
    return pytester


def run(session, *args):
    return session.runpytest_subprocess("-p", "no:cacheprovider", *args, timeout=100)


def test_an_unclean_end_fails_the_test_with_the_servers_words(session):
    session.makepyfile("def test(sender): sender.push(apns_priority='7')")
    result = run(session)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*417 The namespace was not clean*", "*not clean: rejected: 1 refused*", "*BadPriority*"])
    result.stdout.no_fnmatch_line("*http.py*")


def test_a_failure_of_ones_own_shows_what_the_server_saw(session):
    session.makepyfile("def test(sender):\n    sender.push(title='Hi')\n    assert 0")
    result = run(session)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 0*", "*Captured mock-apns*", "*1 accepted*", "*com.example.app*"])


def test_a_rule_that_never_fired_fails_the_test(session):
    session.makepyfile("def test(apns): apns.fail_next('Shutdown')")
    result = run(session)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*not clean: unused-rules: *"])


def test_what_the_marker_allows(session):
    rows = ["allow=['refused']", "allow=['BadPriority']", "allow=['BadTopic']", "allow=['findings', 'unused-rules']", "allow=[]", ""]
    tests = "".join(
        f"@pytest.mark.apns({mark})\ndef test_{number}(sender): sender.push(apns_priority='7')\n" for number, mark in enumerate(rows))
    session.makepyfile("import pytest\n" + tests)
    result = run(session, "--strict-markers", "-v")
    result.assert_outcomes(passed=2, failed=4)
    result.stdout.fnmatch_lines(["*test_0 PASSED*", "*test_1 PASSED*", "*test_2 FAILED*"])


def test_what_the_settings_allow(session):
    session.makeini("[pytest]\nmock_apns_allow = BadPriority\nmock_apns_profile = live\nmock_apns_args = --seed 77\n")
    session.makepyfile("""
        def test(sender, apns, apns_server):
            sender.push(apns_priority='7')
            assert apns_server.facts['seed'] == 77
            assert apns.expect(outcome='rejected')[0]['profile'] == 'live'""")
    run(session).assert_outcomes(passed=1)


def test_the_marker_makes_the_namespace(session):
    session.makepyfile("""
        import pytest
        pytestmark = pytest.mark.apns(profile="lenient")
        @pytest.mark.apns(devices=2, topics=["com.acme*"], seed=3)
        def test(apns):
            assert len(apns.devices) == 2
            assert apns.server.facts['profile'] == 'strict'
            assert apns.explain(apns.devices[0], {"aps": {"alert": "x"}})""")
    run(session).assert_outcomes(passed=1)


@pytest.mark.parametrize("mark", ["profil='live'", "'live'"])
def test_a_marker_that_is_misspelt(session, mark):
    session.makepyfile(f"import pytest\n@pytest.mark.apns({mark})\ndef test(apns): pass\n")
    result = run(session)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the marker apns does not take *profil*; it takes allow, devices, profile, seed, topics by name.*"]
                                if "=" in mark else ["*the marker apns does not take 'live'*"])


def test_names_that_no_namespace_may_have(session):
    session.makepyfile("""
        import pytest
        @pytest.mark.parametrize("text", ["a/b c", "ü", "", "x" * 300, "..", "[]", "\\n"])
        def test(apns, text): apns.expect_none(within=0)
        class TestIn:
            def test(self, apns): apns.expect_none(within=0)""")
    run(session).assert_outcomes(passed=8)


def test_nothing_starts_where_nothing_is_wanted(session, monkeypatch):
    monkeypatch.setenv("MOCK_APNS_PROGRAM", "/nowhere")
    session.makepyfile("def test(): pass")
    run(session).assert_outcomes(passed=1)
    run(session, "-n", "2").assert_outcomes(passed=1)


def test_an_error_at_the_start_is_one_sentence(session, monkeypatch):
    monkeypatch.setenv("MOCK_APNS_PROGRAM", "/nowhere")
    session.makepyfile("def test(apns): pass\ndef test_again(apns): pass")
    for more in ([], ["-n", "2"]):
        result = run(session, *more)
        result.assert_outcomes(errors=2)
        result.stdout.fnmatch_lines(["*MOCK_APNS_PROGRAM is /nowhere, and there is no such file; set it*"])


def test_unittest_style_classes_take_the_fixture(session):
    session.makepyfile("""
        import unittest, pytest
        class Tests(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def take(self, apns): self.apns = apns
            def test(self): self.apns.expect_none(within=0)""")
    run(session).assert_outcomes(passed=1)


FIFTY = """
import os, pytest
@pytest.mark.parametrize("number", range(50))
def test(apns, apns_server, number):
    with open(os.environ["SEEN"], "a") as file:
        file.write(f"{apns_server.admin} {os.getpid()}\\n")
    apns.expect_none(within=0)
"""


def test_all_workers_share_one_server(session, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    monkeypatch.setenv("SEEN", str(seen))
    session.makepyfile(FIFTY)
    run(session, "-n", "4").assert_outcomes(passed=50)
    lines = seen.read_text().split("\n")[:-1]
    assert len(lines) == 50
    assert len({line.split()[0] for line in lines}) == 1, "one server"
    assert len({line.split()[1] for line in lines}) > 1, "several workers"
    assert gone(int(lines[0].split()[0].rsplit(":", 1)[1]))


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_a_session_that_is_killed_takes_its_server_along(session, tmp_path, monkeypatch, more):
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    monkeypatch.setenv("READY", str(ready))
    session.makepyfile("""
        import os, sys, time
        def test(apns, apns_server):
            with open(os.environ["READY"], "w") as file: file.write(apns_server.admin)
            apns.expect(within=60)""")
    controller = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *more], cwd=session.path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.open(ready, os.O_RDONLY | os.O_NONBLOCK)) as file:
        assert select.select([file], [], [], 30)[0], "the session has begun"
        port = int(file.read().rsplit(":", 1)[1])
    controller.send_signal(signal.SIGKILL)
    controller.wait()
    assert gone(port)


def test_a_server_that_runs_already_is_joined(session, apns_server, monkeypatch):
    monkeypatch.setenv("MOCK_APNS_ADMIN", apns_server.admin)
    session.makepyfile(f"""
        def test(apns, sender):
            assert apns.server.admin == {apns_server.admin!r}
            assert sender.push().status == 200
            apns.expect(exactly=1)""")
    for more in ([], ["-n", "2"]):
        run(session, *more).assert_outcomes(passed=1)
