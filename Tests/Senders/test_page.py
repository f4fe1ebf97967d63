"""The web page in a real browser: it shows what the phone would show, as it happens, and runs nothing that a payload says.

`make test` skips it where there is no Chromium or no playwright: a browser is 350 MB that nobody needs to test a push server.
`make page` installs both, and there their absence is a failure."""
import json
import os
import re
import secrets
import shutil
import subprocess

import pytest
from conftest import PROGRAM

CHROMIUM = os.environ.get("MOCK_APNS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
if os.environ.get("MOCK_APNS_PAGE"):
    assert CHROMIUM, "there is no Chromium; scripts/install-dependencies.sh page installs it"
    import playwright.sync_api as sync_api
else:
    # Not part of `make test`, for the reason above.
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; `make page` installs it")
    if not CHROMIUM:
        pytest.skip("there is no Chromium; `make page` installs it", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class World:
    """A namespace of its own, pushes to it, and the page that shows it."""

    def __init__(self, apns):
        self.apns = apns
        self.name = f"page-{secrets.token_hex(4)}"
        self.device = secrets.token_hex(32)
        made = self.call("POST", "/v1/namespaces", {"name": self.name})
        self.call("POST", f"/v1/ns/{self.name}/devices", {"token": self.device})
        assert made["name"] == self.name

    def call(self, method, path, body=None):
        words = ["curl", "-sS", "--fail-with-body", "-X", method, self.apns.admin + path]
        if body is not None:
            words += ["-H", "content-type: application/json", "-d", json.dumps(body)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def send(self, *arguments, device=None):
        certificates = os.path.dirname(self.apns.key_file)
        return subprocess.run(
            [PROGRAM, "send", "--url", self.apns.url, "--certs", certificates, "--to", device or self.device, *arguments],
            capture_output=True, text=True, timeout=30)


@pytest.fixture
def world(apns):
    return World(apns)


@pytest.fixture
def page(browser, world):
    """The page on the namespace; whatever it complains about is a failure."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append("a dialog: " + dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith(world.apns.admin) or request.url.startswith("data:")
            or complaints.append("a request elsewhere: " + request.url))
    page.goto(f"{world.apns.admin}/#/ns/{world.name}")
    page.wait_for_selector("#live[data-state=live]")
    yield page
    context.close()
    assert complaints == []


def test_a_push_appears_and_the_phone_shows_it(page, world):
    sync_api.expect(page.locator("#empty")).to_contain_text("Waiting for the first push")
    world.send("--title", "Shipped", "--body", "Order 42 is on its way", "--badge", "3", "--thread", "order-42")
    row = page.locator(".row").first
    sync_api.expect(row).to_contain_text("Shipped")
    sync_api.expect(row).to_contain_text("Order 42 is on its way")
    sync_api.expect(row).to_have_attribute("aria-selected", "true")
    phone = page.locator(".phone")
    sync_api.expect(phone.locator(".bubble-title")).to_have_text("Shipped")
    sync_api.expect(phone.locator(".bubble-body")).to_have_text("Order 42 is on its way")
    sync_api.expect(page.locator(".badged em")).to_have_text("3")
    world.send("--title", "Delivered", "--thread", "order-42")
    sync_api.expect(phone.locator(".bubble-title")).to_have_text("Delivered")
    sync_api.expect(page.locator(".beside .chips")).to_contain_text("1 more in the stack")
    sync_api.expect(page.locator(".row")).to_have_count(2)


def test_a_refusal_says_why_and_how_to_mend_it(page, world):
    assert "BadPriority" in world.send("--title", "x", "--priority", "7").stdout
    row = page.locator(".row").first
    sync_api.expect(row).to_contain_text("BadPriority")
    sync_api.expect(row).to_have_class(re.compile("is-rejected"))
    sync_api.expect(page.locator(".phone")).to_contain_text("Never reached the device")
    page.keyboard.press("2")
    verdict = page.locator(".verdict")
    sync_api.expect(verdict).to_contain_text("400 BadPriority")
    sync_api.expect(verdict.locator(".fix")).not_to_be_empty()
    sync_api.expect(page.locator(".check.is-failed")).to_contain_text("apns-priority")


def test_a_payload_is_text_and_nothing_else(page, world, tmp_path):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}</style>"
    payload = {"aps": {"alert": {"title": evil, "subtitle": evil, "body": evil}, "thread-id": evil, "category": evil,
                       "sound": evil, "mutable-content": 1}, "url": "https://elsewhere.example/" + evil, evil: evil}
    file = tmp_path / "payload.json"
    file.write_text(json.dumps(payload))
    assert world.send("--payload", str(file)).returncode == 0
    sync_api.expect(page.locator(".phone .bubble-title")).to_have_text(evil)
    for key in "12345":
        page.keyboard.press(key)
        sync_api.expect(page.locator(f"#tab-{['preview', 'explain', 'headers', 'raw', 'connection'][int(key) - 1]}")).to_have_attribute(
            "aria-selected", "true")
        sync_api.expect(page.locator("#tab > *").first).to_be_visible()
    assert page.evaluate("document.querySelectorAll('main script, main style, main img:not([src^=data])').length") == 0
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_policy_keeps_the_page_to_itself(page, world):
    head = subprocess.run(["curl", "-sS", "-D", "-", "-o", "/dev/null", "-H", "accept: text/html", world.apns.admin + "/"],
                          capture_output=True, text=True, check=True).stdout.lower()
    assert "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'" in head
    assert "x-content-type-options: nosniff" in head and "referrer-policy: no-referrer" in head


def test_keys_move_filter_and_pause(page, world):
    for title in ("One", "Two", "Three"):
        world.send("--title", title)
    sync_api.expect(page.locator(".row")).to_have_count(3)
    title = page.locator(".detail-title h2")
    sync_api.expect(title).to_have_text("Three")
    page.keyboard.press("j")
    sync_api.expect(title).to_have_text("Two")
    page.keyboard.press("j")
    sync_api.expect(title).to_have_text("One")
    page.keyboard.press("k")
    sync_api.expect(title).to_have_text("Two")
    page.keyboard.press("p")
    world.send("--title", "Four")
    sync_api.expect(page.locator("#list-note")).to_contain_text("1 arrived since")
    sync_api.expect(page.locator(".row")).to_have_count(3)
    page.keyboard.press("p")
    sync_api.expect(page.locator(".row")).to_have_count(4)
    sync_api.expect(title).to_have_text("Two")
    page.keyboard.press("/")
    page.keyboard.type("title:One")
    sync_api.expect(page.locator(".row")).to_have_count(1)
    world.send("--title", "One more")
    sync_api.expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.locator("dialog button[value=yes]").click()
    sync_api.expect(page.locator("#empty")).to_be_visible()


def test_the_page_goes_on_after_the_server_has_gone(browser, tmp_path):
    """A server that is started again: the page says that it is lost, and comes back by itself."""
    def start(address):
        process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--admin-listen", address, "--ready", "json", "--exit-on-stdin-close",
             "--certs", tmp_path / "certs", "--log", "off", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return process, json.loads(process.stdout.readline())

    def stop(process):
        process.stdin.close()
        assert process.wait(20) == 0

    first, facts = start("127.0.0.1:0")
    page = browser.new_context().new_page()
    page.goto(facts["admin"] + "/")
    page.wait_for_selector("#live[data-state=live]")
    stop(first)
    sync_api.expect(page.locator("#banner")).to_contain_text("does not answer", timeout=10_000)
    second, facts = start(facts["admin"].removeprefix("http://"))
    sync_api.expect(page.locator("#live")).to_have_attribute("data-state", "live", timeout=15_000)
    subprocess.run([PROGRAM, "send", "--url", facts["apns"]["url"], "--certs", tmp_path / "certs", "--to", "ab" * 32, "--title", "Back"],
                   check=True, timeout=30, capture_output=True)
    sync_api.expect(page.locator(".row").first).to_contain_text("Back")
    stop(second)


def test_the_admin_token_is_asked_for(browser, tmp_path):
    process = subprocess.Popen(
        [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--admin-token", "s3cret", "--ready", "json",
         "--exit-on-stdin-close", "--certs", tmp_path / "certs", "--log", "off", "-q"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    facts = json.loads(process.stdout.readline())
    page = browser.new_context().new_page()
    page.goto(facts["admin"] + "/")
    for token in ("wrong", "s3cret"):
        page.locator("#admin-token").fill(token)
        page.keyboard.press("Enter")
        if token == "wrong":
            sync_api.expect(page.locator("dialog")).to_contain_text("not the right one")
    page.wait_for_selector("#live[data-state=live]")
    process.stdin.close()
    assert process.wait(20) == 0


def test_a_push_is_composed_with_a_picture_and_sent_the_whole_way(page, world):
    page.keyboard.press("n")
    dialog = page.locator("dialog.composer")
    page.keyboard.type("Composed <b>here</b>")
    sync_api.expect(dialog.locator(".bubble-title")).to_have_text("Composed <b>here</b>")
    sync_api.expect(dialog.locator(".verdict-line")).to_contain_text("would be accepted")
    dialog.get_by_label("Badge").fill("three")
    sync_api.expect(dialog.locator(".verdict-line")).to_contain_text("BadRequestPayload")
    dialog.get_by_label("Badge").fill("3")
    sync_api.expect(dialog.locator(".teach pre")).to_contain_text("/v1/ns/")
    dialog.get_by_label("Device token").fill(world.device)
    dialog.get_by_role("button", name="Send").click()
    sync_api.expect(dialog).to_have_count(0)
    sync_api.expect(page.locator(".row").first).to_contain_text("Composed <b>here</b>")
    sync_api.expect(page.locator("#detail .phone .bubble-title")).to_have_text("Composed <b>here</b>")
    sync_api.expect(page.locator(".badged em")).to_have_text("3")
    page.keyboard.press("r")
    sync_api.expect(page.locator(".row")).to_have_count(2)
    sync_api.expect(page.locator(".row").first).to_contain_text("Composed <b>here</b>")


def test_a_rule_is_made_from_a_request_and_fires(page, world):
    world.send("--title", "First")
    page.locator(".row", has_text="First").wait_for()
    page.get_by_role("button", name="Make rule").click()
    panel = page.locator("#panel")
    sync_api.expect(panel.get_by_label("Device, exact or with *")).to_have_value(world.device)
    panel.get_by_label("Name").fill("once")
    sync_api.expect(panel.locator(".teach pre")).to_contain_text('"id":"once"')
    panel.get_by_role("button", name="Add the rule").click()
    sync_api.expect(panel.locator(".panel-table")).to_contain_text("once")
    assert "429 TooManyRequests" in world.send("--title", "Second").stdout
    sync_api.expect(panel.locator(".panel-table .num").nth(2)).to_have_text("1")
    page.keyboard.press("Escape")
    sync_api.expect(page.locator(".row").first).to_contain_text("TooManyRequests")
    sync_api.expect(page.locator(".row").first).to_contain_text("rule once")


def test_the_device_page_goes_back_in_time(page, world):
    for number in (1, 2, 3):
        world.send("--title", f"Push {number}", "--badge", str(number))
    page.locator(".row", has_text="Push 3").wait_for()
    page.evaluate(f"location.hash = '#/ns/{world.name}/devices/{world.device}'")
    panel = page.locator("#panel")
    sync_api.expect(panel.locator(".phone")).to_contain_text("badge 3")
    panel.locator("input[type=range]").press("ArrowLeft")
    sync_api.expect(panel.locator(".phone")).to_contain_text("badge 2")
    sync_api.expect(panel.locator(".phone .bubble-title").first).to_have_text("Push 2")
    for name in ("rules", "devices", "report", "connections"):
        page.evaluate(f"location.hash = '#/ns/{world.name}/{name}'")
        sync_api.expect(panel.locator("h1")).to_have_text(name.capitalize())


def test_an_answer_that_is_held_back_is_shown_when_it_leaves(page, world):
    world.call("POST", f"/v1/ns/{world.name}/rules", {"then": {"accept": True, "delay": "1500ms"}})
    sender = subprocess.Popen(
        [PROGRAM, "send", "--url", world.apns.url, "--certs", os.path.dirname(world.apns.key_file), "--to", world.device, "--title", "Slow"],
        stdout=subprocess.PIPE, text=True)
    row = page.locator(".row").first
    sync_api.expect(row).to_have_class(re.compile("is-pending"))
    sync_api.expect(row).not_to_have_class(re.compile("is-pending"))
    sync_api.expect(page.locator(".detail-sub")).to_contain_text("answered in 1")
    assert sender.wait(20) == 0
