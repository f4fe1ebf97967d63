"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { MockAPNsError } = require("./errors.js");

const platform = `${process.platform}-${process.arch}`;

/** The path of the program: MOCK_APNS_PROGRAM, the package of this platform, or PATH. */
function findProgram(given = process.env.MOCK_APNS_PROGRAM) {
  if (given) {
    if (isFile(given)) return path.resolve(given);
    throw new MockAPNsError(
      `MOCK_APNS_PROGRAM (or the option program) is ${given}, and there is no such file; set it to the path of mock-apns, or unset it.`);
  }
  try {
    return require.resolve(`mock-apns-${platform}/mock-apns`);
  } catch {
    // Not installed: another platform, or optional dependencies were left out.
  }
  for (const folder of (process.env.PATH || "").split(path.delimiter)) {
    const candidate = path.join(folder || ".", "mock-apns");
    // npm puts the launcher of this package into PATH; it would only come back here.
    if (isFile(candidate) && !path.basename(fs.realpathSync(candidate)).endsWith(".js")) return candidate;
  }
  throw new MockAPNsError(
    `The program mock-apns was not found: the package mock-apns-${platform} is not installed and PATH has no mock-apns; ` +
    "install that package (without --omit=optional), or set MOCK_APNS_PROGRAM to the program's path.");
}

function isFile(file) {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Why a program could not run here, in one sentence with the fix; undefined when its head says nothing against it. */
function unsuited(program) {
  const made = madeFor(program);
  if (made && made !== platform) {
    return `${program} is a program for ${made}, and this is ${platform}; install mock-apns for ${platform}, or set MOCK_APNS_PROGRAM to it.`;
  }
  try {
    fs.accessSync(program, fs.constants.X_OK);
    return undefined;
  } catch {
    return fs.statSync(program).mode & 0o111
      ? `${program} may not be executed where it lies (the file system is mounted noexec, or the file is another user's); put it elsewhere and set MOCK_APNS_PROGRAM to it.`
      : `${program} may not be executed; run chmod +x ${program}.`;
  }
}

/** The platform that a program was built for, from its first bytes: linux-x64 and so on, or undefined. */
function madeFor(program) {
  const head = Buffer.alloc(20);
  try {
    const file = fs.openSync(program, "r");
    try {
      fs.readSync(file, head, 0, head.length, 0);
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return undefined;
  }
  if (head.toString("latin1", 0, 4) === "\x7fELF") {
    return `linux-${{ 0x3e: "x64", 0xb7: "arm64" }[head.readUInt16LE(18)] || "another processor"}`;
  }
  if (head.readUInt32LE(0) === 0xfeedfacf) {
    return `darwin-${{ 0x01000007: "x64", 0x0100000c: "arm64" }[head.readUInt32LE(4)] || "another processor"}`;
  }
  return head.toString("latin1", 0, 2) === "MZ" ? "win32" : undefined;
}

module.exports = { findProgram, unsuited, madeFor, platform };
