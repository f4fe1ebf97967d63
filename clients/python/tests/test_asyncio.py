"""The same questions in an event loop, with a sender of that world: aioapns."""
import asyncio

import pytest
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol
from sender import DEVICE

from mock_apns import ExpectationError, start


def client(apns):
    class Local(APNsDevelopmentClientProtocol):
        APNS_SERVER, APNS_PORT = apns.host, apns.port

    sender = APNs(
        key=apns.key, key_id=apns.key_id, team_id=apns.team_id, topic="com.example.app", use_sandbox=True,
        ssl_context=apns.ssl_context())
    sender.pool.protocol_class = Local
    return sender


async def push(sender, title):
    request = NotificationRequest(device_token=DEVICE, message={"aps": {"alert": {"title": title}}}, push_type=PushType.ALERT)
    assert (await asyncio.wait_for(sender.send_notification(request), 30)).is_successful


def test_a_wait_lets_the_sender_run(apns):
    async def story():
        waiting = asyncio.gather(*(apns.aio.expect({"aps.alert.title": f"push {n}"}, within=20) for n in range(40)))
        await asyncio.sleep(0)
        sender = client(apns)
        await asyncio.gather(*(push(sender, f"push {n}") for n in range(40)))
        pushes = await waiting
        sender.pool.close()
        return pushes

    assert all(len(pushes) == 1 for pushes in asyncio.run(story()))


def test_a_miss_is_the_same_text(apns):
    async def story():
        await apns.aio.clock.advance("1m")
        assert (await apns.aio.clock.now() - apns.clock.now()).total_seconds() < 5
        with pytest.raises(ExpectationError, match="expectation not met: 1 request, got 0"):
            await apns.aio.expect(device=DEVICE, within=0.05)

    asyncio.run(story())


def test_a_wait_that_is_cancelled_ends_at_once(apns):
    async def story():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(apns.aio.expect(device=DEVICE, within=60), 0.2)

    asyncio.run(story())


def test_a_namespace_of_ones_own(apns_server):
    async def story():
        async with await apns_server.async_namespace() as apns:
            sender = client(apns)
            await push(sender, "hello")
            sender.pool.close()
            await apns.aio.expect(device=DEVICE, exactly=1)
        assert apns.ended
        with pytest.raises(ExpectationError, match="not clean: unused-rules: "):
            async with await apns_server.async_namespace() as apns:
                await apns.aio.fail_next("Shutdown")

    asyncio.run(story())


def test_a_server_of_ones_own_starts_in_a_thread():
    async def story():
        return await asyncio.to_thread(start)

    with asyncio.run(story()) as server, server.namespace() as apns:
        apns.expect_none(within=0)
