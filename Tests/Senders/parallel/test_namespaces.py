"""Fifty tests that run in parallel against one server: ten stories, each in five ways to find one's namespace."""
import concurrent.futures

import httpx


def test_the_log_holds_only_our_own_pushes(suite):
    for number in range(20):
        assert suite.push(number) == 200
    assert suite.numbers() == list(range(20))
    assert suite.end(verdict="clean").status_code == 200


def test_a_reset_forgets_our_own_pushes_alone(suite):
    for number in range(30):
        assert suite.push(number) == 200
        if number % 10 == 9:
            assert suite.numbers() == list(range(number - 9, number + 1))
            suite.post("/reset")
            assert suite.numbers() == []


def test_a_wait_sees_what_comes_here(suite):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(suite.get, "/notifications", count=3, wait="20s")
        for number in range(3):
            assert suite.push(number) == 200
        assert [item["payload"]["number"] for item in waiting.result().json()["items"]] == [0, 1, 2]


def test_exactly_so_many_and_no_more(suite):
    for number in range(5):
        assert suite.push(number) == 200
    answer = suite.get("/notifications", exactly=5, wait="20s", settle="300ms")
    assert answer.status_code == 200, answer.text


def test_our_clock_ages_our_token_alone(suite):
    assert suite.push(0) == 200
    suite.post("/clock", {"advance": "2h"})
    assert suite.push(1) == 403
    assert suite.numbers() == [0]
    assert suite.numbers("/requests", reason="ExpiredProviderToken") == [1]


def test_a_refusal_spoils_our_verdict_alone(suite, new_suite):
    other = new_suite()
    assert suite.push(0, **{"apns-priority": "7"}) == 400
    assert other.push(0) == 200
    verdict = suite.end(verdict="clean")
    assert verdict.status_code == 417
    assert verdict.json()["unexpectedRefusals"] == 1
    assert other.end(verdict="clean").status_code == 200


def test_many_at_once_on_one_connection(suite):
    assert set(suite.push_at_once(range(64))) == {200}
    assert sorted(suite.numbers()) == list(range(64))


def test_two_namespaces_taking_turns(suite, new_suite):
    other = new_suite()
    for number in range(10):
        assert suite.push(number) == 200
        assert other.push(100 + number) == 200
        if number == 4:
            other.post("/reset")
    assert suite.numbers() == list(range(10))
    assert other.numbers() == list(range(105, 110))


def test_a_key_is_revoked_here_alone(suite, new_suite):
    other = new_suite()
    assert suite.push(0) == other.push(0) == 200
    answer = httpx.patch(f"{suite.base}/keys/{suite.key_id}", json={"revoked": True})
    assert answer.status_code == 200, answer.text
    assert suite.push(1) == 403
    assert other.push(1) == 200
    assert suite.numbers() == [0]
    assert other.numbers() == [0, 1]


def test_waits_end_with_their_namespace(suite, new_suite):
    other = new_suite()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        ours = pool.submit(suite.get, "/notifications", wait="20s")
        theirs = pool.submit(other.get, "/notifications", wait="20s")
        for each, call in ((suite, ours), (other, theirs)):
            while each.facts()["journal"]["waiters"] == 0:
                assert not call.done(), call.result().text
        assert suite.end().status_code == 200
        assert ours.result().status_code == 410
        assert other.push(0) == 200
        assert theirs.result().status_code == 200
