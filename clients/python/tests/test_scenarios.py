"""The ten scenarios that every client has."""
import time

import pytest
from sender import DEVICE, Sender

from mock_apns import ExpectationError


def test_deliver(apns, sender):
    sender.push(title="Shipped")
    [push] = apns.expect({"aps.alert.title": "Ship*"}, device=DEVICE)
    assert push["payload"] == {"aps": {"alert": {"title": "Shipped"}}}


def test_none(apns, sender):
    apns.expect_none(device=DEVICE)
    sender.push()
    with pytest.raises(ExpectationError, match="expectation not met: no .*, got 1"):
        apns.expect_none(device=DEVICE)


def test_exactly(apns, sender):
    sender.push(title="one")
    sender.push(title="two")
    assert len(apns.expect(device=DEVICE, exactly=2)) == 2
    with pytest.raises(ExpectationError, match="exactly 1 .*, got 2"):
        apns.expect(device=DEVICE, exactly=1)


@pytest.mark.apns(allow=["BadPriority"])
def test_refused_with_the_reason_shown(apns, sender):
    assert sender.push(apns_priority="7").reason == "BadPriority"
    apns.expect(outcome="rejected", reason="BadPriority")
    with pytest.raises(ExpectationError, match="REJECTED 400 BadPriority"):
        apns.expect(device=DEVICE, within=0)


@pytest.mark.apns(allow=["Unregistered"])
def test_410_and_the_clean_up(apns, sender):
    phone = apns.device(topics=["com.example.app"])
    sender.devices = {phone}
    phone.unregister(since="-1h")
    result = sender.push(phone)
    assert result.status == 410
    assert abs(result.timestamp / 1000 - (time.time() - 3600)) < 60
    assert sender.devices == set()


def test_retry_after_429(apns, sender):
    apns.fail_next("TooManyRequests", times=2)
    assert sender.push().status == 200
    apns.expect(outcome="rejected", status=429, exactly=2)
    apns.expect(device=DEVICE, exactly=1)


def test_goaway(apns, sender):
    sender.push(title="before")
    apns.fail_next(fault="goaway", lastStream="none")
    assert sender.push(title="after").status == 200
    pushes = apns.expect(device=DEVICE, exactly=2)
    assert len({push["connection"]["id"] for push in pushes}) == 2


@pytest.mark.apns(allow=["ExpiredProviderToken"])
def test_a_provider_token_that_expires_by_the_clock(apns, sender):
    assert sender.push(title="fresh").status == 200
    apns.clock.advance("61m")
    assert sender.push(title="stale").reason == "ExpiredProviderToken"
    sender.sign(at=apns.clock.now())
    assert sender.push(title="signed anew").status == 200
    assert len(apns.expect(exactly=2)) == 2


@pytest.mark.parametrize("number", range(50))
def test_fifty_in_parallel_on_one_server(apns, sender, number):
    assert sender.push(title=f"push {number}").status == 200
    [push] = apns.expect(device=DEVICE, exactly=1, settle=0.05)
    assert push["payload"]["aps"]["alert"]["title"] == f"push {number}"


def test_the_nearest_miss_is_told(apns, sender):
    sender.push(title="Your order has shipped")
    with pytest.raises(ExpectationError) as miss:
        apns.expect({"aps.alert.title": "Shipped*"}, device=DEVICE, within=0.1)
    assert "closest #1  ACCEPTED" in str(miss.value)
    assert "NO   wanted Shipped*   got Your order has shipped" in str(miss.value)


def test_a_client_certificate_is_a_sender(apns):
    certificate = apns.client_certificate("com.example.app")
    sender = Sender(apns)
    context = apns.ssl_context()
    context.load_cert_chain(certificate.cert_file, certificate.key_file)
    import httpx

    with httpx.Client(http2=True, verify=context) as client:
        answer = client.post(
            f"{apns.url}/3/device/{DEVICE}", json={"aps": {"alert": "hello"}},
            headers={"apns-topic": "com.example.app", "apns-push-type": "alert"})
    sender.close()
    assert answer.status_code == 200
    [push] = apns.expect(device=DEVICE)
    assert push["auth"]["method"] == "certificate"
