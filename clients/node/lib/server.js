"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
// Taken here, before a test puts false timers in their place.
const { setTimeout, clearTimeout } = require("node:timers");
const { call, json } = require("./http.js");
const { MockAPNsError } = require("./errors.js");
const { findProgram, unsuited } = require("./program.js");

/** Starts a server on free ports; it ends with this process, or by stop(). */
async function launch({ program, args = [], timeout = 10_000 }) {
  const file = findProgram(program);
  const wrong = unsuited(file);
  if (wrong) throw new MockAPNsError(wrong);
  const folder = makeFolder();
  try {
    return await ready(file, folder, args, timeout);
  } catch (error) {
    remove(folder);
    throw error;
  }
}

function makeFolder() {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), "mock-apns-"));
  } catch (error) {
    throw new MockAPNsError(
      `mock-apns needs a folder for its test CA, and ${os.tmpdir()} cannot be written (${error.code}); set TMPDIR to a folder that can.`);
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
}

function ready(file, folder, args, timeout) {
  const child = spawn(file, ["serve", "--ephemeral", "--certs", path.join(folder, "certs"), "--log", "off", "--quiet", ...args]);
  return new Promise((resolve, reject) => {
    let output = "";
    let complaints = "";
    let ended = false;
    const settle = error => {
      clearTimeout(timer);
      child.stdout.removeAllListeners("data");
      child.stdout.resume();
      if (!error) return;
      child.kill("SIGKILL");
      reject(new MockAPNsError(error));
    };
    const said = () => complaints.trim() || "it wrote nothing to standard error";
    const timer = setTimeout(() => settle(
      `${file} was not ready within ${timeout} ms (${said()}); give it longer with the option timeout, or run it by hand to see what it waits for.`), timeout);
    child.stderr.on("data", part => { complaints = (complaints + part).slice(-4096); });
    child.stdin.on("error", () => {}); // The server has ended; the next call says so.
    child.on("error", error => settle(
      error.code === "ENOENT" && fs.existsSync(file)
        ? `${file} is there but its loader is not: it was built for another C library; use the static program.`
        : `${file} cannot be started (${error.code}); check it, or set MOCK_APNS_PROGRAM to another.`));
    // `close` and not `exit`: by then all that it wrote to standard error is here.
    child.on("close", (code, signal) => {
      ended = true;
      settle(`${file} ended at its start with ${signal || `exit code ${code}`}: ${said()}`);
    });
    child.stdout.on("data", part => {
      output += part;
      const end = output.indexOf("\n");
      if (end < 0) return;
      let facts;
      try {
        facts = JSON.parse(output.slice(0, end));
      } catch {
        return settle(`${file} wrote "${output.slice(0, Math.min(end, 80))}" where mock-apns writes its ready line; set MOCK_APNS_PROGRAM to mock-apns.`);
      }
      settle();
      // Nothing of the server keeps this process alive; the server ends when its standard input does.
      for (const each of [child, child.stdin, child.stdout, child.stderr]) each.unref();
      const atExit = () => remove(folder);
      process.on("exit", atExit);
      const stop = () => new Promise(done => {
        const over = () => {
          process.removeListener("exit", atExit);
          remove(folder);
          done();
        };
        if (ended) return over();
        child.ref();
        child.once("close", over);
        child.stdin.end();
      });
      resolve(new Server(facts.admin, facts, { samePlace: true, folder, stop }));
    });
  });
}

/** Joins a server that somebody else has started. */
async function join(admin, apnsURL = process.env.MOCK_APNS_URL) {
  const base = admin.replace(/\/+$/, "");
  const facts = await json("GET", `${base}/v1/info`);
  const ca = (await call("GET", `${base}/v1/ca.pem`, { accept: "*/*" })).text;
  const listener = (kind, scheme, told) => {
    if (told) return told;
    const found = facts.listeners.find(each => each.kind === kind);
    // Listeners on all addresses are reached where the admin API is.
    return found && `${scheme}://${found.address.replace(/^(0\.0\.0\.0|\[::\]):/, `${new URL(base).hostname}:`)}`;
  };
  const keyId = facts.key && facts.key.keyId;
  const samePlace = fileIs(facts.ca.file, ca);
  return new Server(base, {
    apns: { url: listener("apns", "https", apnsURL) },
    h2c: { url: listener("h2c", "http", process.env.MOCK_APNS_H2C_URL) },
    http1: { url: listener("http1", "http", process.env.MOCK_APNS_HTTP1_URL) },
    caFile: samePlace ? facts.ca.file : undefined, keyId, teamId: facts.key && facts.key.teamId, version: facts.version,
  }, { samePlace, ca, stop: async () => {} });
}

function fileIs(file, text) {
  try {
    return fs.readFileSync(file, "utf8") === text;
  } catch {
    return false;
  }
}

/** A running server: where it is, and what senders trust. */
class Server {
  constructor(admin, facts, { samePlace, folder, ca, stop }) {
    this.admin = admin;
    this.facts = facts;
    /** Whether its files and all its ports can be reached from here; not so for one in a container. */
    this.samePlace = samePlace;
    this.ca = ca ?? fs.readFileSync(facts.caFile, "utf8");
    this.stop = stop;
    this.files = folder;
  }

  /** Writes a file for senders that want one; it goes with this process. */
  file(name, text) {
    if (!this.files) {
      this.files = makeFolder();
      process.on("exit", () => remove(this.files));
    }
    const target = path.join(this.files, name);
    fs.writeFileSync(target, text, { mode: 0o600 });
    return target;
  }
}

module.exports = { launch, join, Server };
