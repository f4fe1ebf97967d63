// The package as an ES module, with the same names and the same server.
import assert from "node:assert";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
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

test("a server elsewhere, as in a container: pushes find the namespace by its key", async t => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mock-apns-test-"));
  // Its folder has no path that is good here, so the client must do without the server's files and further ports.
  const server = spawn(imported.findProgram(), ["serve", "--ephemeral", "--certs", "elsewhere", "--log", "off", "-q"], { cwd: folder });
  const facts = JSON.parse(await new Promise(resolve => server.stdout.once("data", resolve)));
  const apns = await imported.start(t, { admin: `${facts.admin}/` });
  assert.equal(apns.url, facts.apns.url);
  assert.equal(fs.readFileSync(apns.caFile, "utf8"), apns.ca);
  const { sender } = createRequire(import.meta.url)("./sender.js");
  await sender(t, apns).push("ab".repeat(32), "Shipped");
  await apns.expect({}, { exactly: 1 });
  const named = await imported.start(t, { admin: facts.admin, url: "https://localhost:1" });
  assert.equal(named.port, 1);
  // Hooks run in their order: behind the ends of both namespaces.
  t.after(() => new Promise(resolve => server.on("exit", resolve).stdin.end()).then(() => fs.rmSync(folder, { recursive: true })));
});
