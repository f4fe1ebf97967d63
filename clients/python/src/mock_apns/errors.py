"""What can go wrong."""


class MockAPNsError(Exception):
    """Something is wrong with the set-up; the message is one sentence with the fix."""


class ExpectationError(AssertionError):
    """An expectation was not met; the message is what the server says about it."""
