"use strict";
// Every route, parameter and member of a body that this client uses is in the program's OpenAPI document.
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { start, APNs, Clock, Device } = require("mock-apns");

// Not exported: this file looks at the calls, which nobody else needs to.
const root = path.dirname(require.resolve("mock-apns"));
const { call } = require(path.join(root, "lib", "http.js"));
let document;

test.before(async () => {
  const apns = await start();
  document = JSON.parse((await call("GET", new URL("/openapi.json", apns.base))).text);
  await apns.end();
});

/** The operation of a path, in which each segment of the document may be a place holder. */
function operation(method, pathname) {
  const plain = pathname.replace(/^\/v1\/ns\/[^/]+\//, "/v1/");
  const segments = plain.split("/");
  const found = Object.keys(document.paths).filter(each => {
    const theirs = each.split("/");
    return theirs.length === segments.length && theirs.every((part, at) => part === segments[at] || part.startsWith("{"));
  });
  const exact = found.includes(plain) ? plain : found[0];
  const operation = exact && document.paths[exact][method.toLowerCase()];
  assert.ok(operation, `${method} ${plain} is in the OpenAPI document`);
  return operation;
}

function members(operation) {
  return Object.keys(operation.requestBody?.content["application/json"].schema.properties ?? {});
}

test("all calls are in the document", async t => {
  const calls = [];
  call.observer = each => calls.push(each);
  const used = new Set();
  for (const type of [APNs, Clock, Device]) {
    for (const name of Object.getOwnPropertyNames(type.prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(type.prototype, name);
      if (typeof value !== "function" || name === "constructor" || name === "toString") continue;
      t.after(() => { type.prototype[name] = value; });
      type.prototype[name] = function (...args) {
        used.add(`${type.name}.${name}`);
        return value.apply(this, args);
      };
    }
  }

  const apns = await start({ namespace: { profile: "strict", seed: 7, devices: 1, topics: "com.example.openapi" } });
  await apns.expectNone({}, { within: 0 });
  await assert.rejects(apns.expect({}, { count: 1, within: 0, after: await apns.cursor() }), /expectation not met/);
  await assert.rejects(apns.expect({}, { exactly: 1, within: "1ms", settle: 1 }), /expectation not met/);
  await apns.verify({ expect: [], noOthers: true, wait: 0, after: 0 });
  assert.deepEqual(await apns.requests(), []);
  const phone = await apns.device({ topics: ["com.example.app"] });
  await phone.set({ state: "offline" });
  await phone.unregister({ since: "-1h" });
  await phone.inbox();
  await apns.clock.freeze("2030-01-01T00:00:00Z");
  assert.equal((await apns.clock.now()).toISOString(), "2030-01-01T00:00:00.000Z");
  await apns.clock.advance("1m");
  await apns.clock.resume();
  await apns.certificate({ topic: "com.example.app" });
  await apns.failNext("TooManyRequests", { times: 2 });
  await apns.rule({ then: { reason: "Shutdown" } });
  assert.ok(apns.providerToken());
  await apns.reset({ keep: ["devices"] });
  // A reset does not make up for rules that never fired.
  await assert.rejects(apns.verdict(), /not clean: unused-rules: /);
  await (await start({ admin: new URL(apns.base).origin })).end();

  for (const type of [APNs, Clock, Device]) {
    for (const name of Object.getOwnPropertyNames(type.prototype)) {
      if (typeof Object.getOwnPropertyDescriptor(type.prototype, name).value !== "function") continue;
      if (name !== "constructor" && name !== "toString") assert.ok(used.has(`${type.name}.${name}`), `${type.name}.${name} was called`);
    }
  }
  assert.ok(calls.length > 15);
  for (const { method, url, body } of calls) {
    const { pathname, searchParams } = new URL(url);
    const known = operation(method, pathname);
    const parameters = known.parameters.map(each => each.name);
    for (const name of searchParams.keys()) assert.ok(parameters.includes(name), `${method} ${pathname} takes ${name}`);
    for (const name of Object.keys(body ?? {})) assert.ok(members(known).includes(name), `the body of ${method} ${pathname} has ${name}`);
  }
});

test("the types name members that the document has", () => {
  const text = fs.readFileSync(path.join(root, "index.d.ts"), "utf8");
  const declared = [...text.matchAll(/\/\*\* Members of the body of (\w+) ([^\s;.]+)[^\n]*\nexport interface \w+ \{\n(.*?)\n\}/gs)];
  assert.equal(declared.length, 6);
  for (const [, method, pathname, body] of declared) {
    const names = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(each => each[1]);
    assert.ok(names.length > 3);
    for (const name of names) assert.ok(members(operation(method, pathname)).includes(name), `the body of ${method} ${pathname} has ${name}`);
  }
});
