"""unittest and Django, in processes of their own."""
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(__file__)

TESTS = """
import sys
sys.path.insert(0, {here!r})
from {module} import TestCase
from mock_apns.unittest import MockAPNsMixin
from sender import DEVICE, Sender

class Tests(MockAPNsMixin, TestCase):
    def setUp(self):
        super().setUp()
        self.sender = Sender(self.apns)
        self.addCleanup(self.sender.close)
    def test_deliver(self):
        self.sender.push()
        self.apns.expect(device=DEVICE, exactly=1)
    def test_miss(self):
        self.apns.expect(device=DEVICE, within=0.01)
    def test_refused(self):
        self.sender.push(apns_priority="7")

class Allowing(MockAPNsMixin, TestCase):
    apns_allow = ["BadPriority"]
    def test(self):
        sender = Sender(self.apns)
        sender.push(apns_priority="7")
        sender.close()
"""


def check(done):
    assert done.returncode == 1, done.stderr
    assert "Ran 4 tests" in done.stderr
    assert "FAILED (failures=2)" in done.stderr
    assert "expectation not met: 1 request, got 0 within 10 ms" in done.stderr
    assert "417 The namespace was not clean" in done.stderr
    assert "ResourceWarning" not in done.stderr


def test_unittest(tmp_path):
    (tmp_path / "test_orders.py").write_text(TESTS.format(here=HERE, module="unittest"))
    check(subprocess.run(
        [sys.executable, "-W", "default", "-m", "unittest", "test_orders"], cwd=tmp_path, capture_output=True, text=True))


@pytest.mark.parametrize("parallel", [[], ["--parallel", "2"]], ids=["one", "parallel"])
def test_django(tmp_path, parallel):
    pytest.importorskip("django")
    (tmp_path / "test_orders.py").write_text(TESTS.format(here=HERE, module="django.test"))
    (tmp_path / "settings.py").write_text(
        "SECRET_KEY = 'x'\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n")
    check(subprocess.run(
        [sys.executable, "-m", "django", "test", "--settings", "settings", *parallel], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))}))
