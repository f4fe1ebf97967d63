"use strict";
// What goes wrong before the first push is one sentence with the fix.
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { start, findProgram } = require("mock-apns");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mock-apns-test-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

function program(name, content, mode = 0o755) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content, { mode });
  return file;
}

function elf(machine) {
  const head = Buffer.alloc(64);
  head.write("\x7fELF", "latin1");
  head.writeUInt16LE(machine, 18);
  return head;
}

function withEnvironment(t, changes) {
  for (const [name, value] of Object.entries(changes)) {
    const before = process.env[name];
    t.after(() => before === undefined ? delete process.env[name] : process.env[name] = before);
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

const rows = [
  ["another architecture", { program: () => program("arm", elf(process.arch === "x64" ? 0xb7 : 0x3e)) },
    /is a program for linux-(arm64|x64), and this is .*; install mock-apns for /],
  ["a missing program", { program: () => "/nowhere/mock-apns" }, /there is no such file; set it to the path of mock-apns/],
  ["a program that may not be run", { program: () => program("plain", "#!/bin/sh\n", 0o644) }, process.getuid() ? /run chmod \+x/ : /EACCES|chmod/],
  ["a program that ends", { program: () => program("ends", "#!/bin/sh\necho out of luck >&2\nexit 3\n") },
    /ended at its start with exit code 3: out of luck/],
  ["a program that says nothing", { program: () => program("silent", "#!/bin/sh\nexec cat >/dev/null\n"), timeout: 300 },
    /was not ready within 300 ms .*option timeout/],
  ["another program", { program: () => program("other", "#!/bin/sh\necho hello\nexec cat\n") }, /wrote "hello" where mock-apns writes its ready line/],
  ["a flag that is none", { args: ["--ephemerall"] }, /ended at its start with exit code 64: .*did you mean --ephemeral/],
];
for (const [name, { program, ...options }, message] of rows) {
  test(name, () => assert.rejects(start({ ...options, program: program && program() }), error => {
    assert.equal(error.name, "MockAPNsError");
    assert.match(error.message, message);
    return !error.message.includes("\n");
  }));
}

test("a port in use", async t => {
  const other = net.createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await new Promise(resolve => other.once("listening", resolve));
  const address = `127.0.0.1:${other.address().port}`;
  await assert.rejects(start({ args: ["--admin-listen", address] }), /exit code 73: .*Address already in use; choose another address, or port 0/);
});

test("a folder for temporary files that cannot be written", async t => {
  withEnvironment(t, { TMPDIR: path.join(folder, "absent") });
  await assert.rejects(start({ args: ["--seed", "1"] }), /absent cannot be written \(ENOENT\); set TMPDIR/);
});

test("a home that cannot be written is not asked", async t => {
  withEnvironment(t, { HOME: "/proc/nowhere", XDG_CACHE_HOME: undefined });
  await (await start({ args: ["--seed", "2"] })).verdict();
});

test("no program anywhere", t => {
  withEnvironment(t, { MOCK_APNS_PROGRAM: undefined, PATH: folder });
  try {
    // Installed with its platform package there is always one.
    require.resolve(`mock-apns-${process.platform}-${process.arch}/mock-apns`);
  } catch {
    assert.throws(() => findProgram(), /was not found: the package mock-apns-.* is not installed and PATH has no mock-apns; install/);
  }
});

test("the program in PATH", t => {
  withEnvironment(t, { MOCK_APNS_PROGRAM: undefined, PATH: `${folder}:/nowhere` });
  const made = program("mock-apns", "#!/bin/sh\n");
  t.after(() => fs.rmSync(made));
  try {
    require.resolve(`mock-apns-${process.platform}-${process.arch}/mock-apns`);
  } catch {
    assert.equal(findProgram(), made);
  }
});

test("a server that is not there", () => assert.rejects(start({ admin: "http://127.0.0.1:9" }), /127\.0\.0\.1:9 does not answer \(ECONNREFUSED\)/));

test("the server ends with its parent, however that ends", { timeout: 20_000 }, async () => {
  const parent = spawn(process.execPath, ["-e", `
    require("mock-apns").start().then(apns => { console.log(apns.base); setInterval(() => {}, 1000); });`],
  { cwd: __dirname, stdio: ["ignore", "pipe", "inherit"] });
  const base = await new Promise(resolve => parent.stdout.once("data", text => resolve(String(text).trim())));
  parent.kill("SIGKILL");
  const { hostname, port } = new URL(base);
  const open = () => new Promise(resolve => {
    const socket = net.connect(port, hostname, () => socket.end());
    socket.on("error", () => resolve(false)).on("close", failed => resolve(!failed));
  });
  while (await open());
});

test("a process that does not end its namespaces ends all the same", { timeout: 20_000 }, async () => {
  const user = spawn(process.execPath, ["-e", `
    require("mock-apns").start().then(apns => console.log(apns.caFile));`], { cwd: __dirname, stdio: ["ignore", "pipe", "inherit"] });
  const file = new Promise(resolve => user.stdout.once("data", text => resolve(String(text).trim())));
  assert.equal(await new Promise(resolve => user.once("exit", resolve)), 0);
  assert.ok(!fs.existsSync(path.dirname(await file)));
});
