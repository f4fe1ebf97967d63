// The package as an ES module, with the same names and the same server.
import assert from "node:assert";
import { createRequire } from "node:module";
import test from "node:test";
import * as imported from "mock-apns";

test("import and require give the same", () => {
  const required = createRequire(import.meta.url)("mock-apns");
  assert.deepEqual(Object.keys(imported).sort(), Object.keys(required).sort());
  for (const name of Object.keys(required)) assert.equal(imported[name], required[name]);
});

test("a scope as Vitest has it", async () => {
  const ends = [];
  const apns = await imported.start({ onTestFinished: end => ends.push(end), task: { name: "an order" } });
  assert.match(apns.name, /^an-order-/);
  await ends[0]();
  await assert.rejects(apns.cursor(), /unknown|No such namespace/i);
});

test("one server for all workers, by Jest's and Vitest's globalSetup", async () => {
  const setUp = createRequire(import.meta.url)("mock-apns/global-setup");
  const tearDown = await setUp();
  const apns = await imported.start();
  assert.ok(apns.base.startsWith(process.env.MOCK_APNS_ADMIN));
  assert.ok(apns.port > 0);
  await apns.verdict();
  await tearDown();
  assert.equal(process.env.MOCK_APNS_ADMIN, undefined);
});
