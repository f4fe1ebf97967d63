import pytest
from sender import Sender

pytest_plugins = ["pytester"]


@pytest.fixture
def sender(apns):
    sender = Sender(apns)
    yield sender
    sender.close()
