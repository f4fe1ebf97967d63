"use strict";
// The ten scenarios that every client has, in node:test.
const assert = require("node:assert");
const test = require("node:test");
const { start } = require("mock-apns");
const { sender } = require("./sender.js");

const DEVICE = "ab".repeat(32);

test("deliver", async t => {
  const apns = await start(t);
  await sender(t, apns).push(DEVICE, "Shipped");
  const [push] = await apns.expect({ device: DEVICE, "aps.alert.title": "Ship*" });
  assert.equal(push.payload.aps.alert.title, "Shipped");
});

test("none", async t => {
  const apns = await start(t);
  await apns.expectNone({ device: DEVICE });
  await sender(t, apns).push(DEVICE, "Shipped");
  await assert.rejects(apns.expectNone({ device: DEVICE }), /expectation not met: no .*, got 1/);
});

test("exactly", async t => {
  const apns = await start(t);
  for (const title of ["one", "two"]) await sender(t, apns).push(DEVICE, title);
  assert.equal((await apns.expect({ device: DEVICE }, { exactly: 2 })).length, 2);
  await assert.rejects(apns.expect({ device: DEVICE }, { exactly: 1 }), /exactly 1 .*, got 2/);
});

test("refused, with the reason shown", async t => {
  const apns = await start(t);
  const answer = await sender(t, apns).push(DEVICE, "Shipped", { "apns-priority": "7" });
  assert.equal(answer.reason, "BadPriority");
  await apns.expect({ outcome: "rejected", reason: "BadPriority" });
  await assert.rejects(apns.expect({ device: DEVICE }, { within: 0 }), /REJECTED 400 BadPriority/);
  await assert.rejects(apns.verdict(), /not clean: rejected: 1 refused/);
});

test("410 and the clean-up", async t => {
  const apns = await start(t);
  const phone = await apns.device({ topics: "com.example.app" });
  const service = sender(t, apns, [phone.token]);
  await phone.unregister({ since: "-1h" });
  const { status, timestamp } = await service.push(phone.token, "Shipped");
  assert.equal(status, 410);
  assert.ok(Math.abs(timestamp - (Date.now() - 3_600_000)) < 60_000);
  assert.deepEqual([...service.devices], []);
});

test("retry after 429", async t => {
  const apns = await start(t);
  await apns.failNext("TooManyRequests", { times: 2 });
  assert.equal((await sender(t, apns).push(DEVICE, "Shipped")).status, 200);
  await apns.expect({ outcome: "rejected", status: 429 }, { exactly: 2 });
  await apns.expect({ device: DEVICE }, { exactly: 1 });
  await apns.verdict();
});

test("GOAWAY", async t => {
  const apns = await start(t);
  const service = sender(t, apns);
  await service.push(DEVICE, "before");
  await apns.failNext({ fault: "goaway", lastStream: "none" });
  assert.equal((await service.push(DEVICE, "after")).status, 200);
  const pushes = await apns.expect({ device: DEVICE }, { exactly: 2 });
  assert.equal(new Set(pushes.map(push => push.connection.id)).size, 2);
});

test("a provider token that expires by the clock", async t => {
  const apns = await start(t);
  const service = sender(t, apns);
  assert.equal((await service.push(DEVICE, "fresh")).status, 200);
  await apns.clock.advance("61m");
  assert.equal((await service.push(DEVICE, "stale")).reason, "ExpiredProviderToken");
  service.token = apns.providerToken({ at: await apns.clock.now() });
  await apns.expect({ "aps.alert.title": "fresh" }, { exactly: 1 });
});

test("fifty tests in parallel on one server", { concurrency: 50 }, t => Promise.all(
  Array.from({ length: 50 }, (_, number) => t.test(`test ${number}`, async t => {
    const apns = await start(t);
    assert.equal((await sender(t, apns).push(DEVICE, `push ${number}`)).status, 200);
    const [push] = await apns.expect({ device: DEVICE }, { exactly: 1 });
    assert.equal(push.payload.aps.alert.title, `push ${number}`);
    await apns.verdict();
  }))));

test("the nearest miss is told", async t => {
  const apns = await start(t);
  await sender(t, apns).push(DEVICE, "Your order has shipped");
  const wanted = { device: DEVICE, "aps.alert.title": "Shipped*" };
  await assert.rejects(apns.expect(wanted, { within: "100ms" }), error => {
    assert.equal(error.name, "ExpectationError");
    assert.match(error.message, /closest #1 {2}ACCEPTED/);
    return /aps\.alert\.title +NO +wanted Shipped\* +got Your order has shipped/.test(error.message);
  });
});
