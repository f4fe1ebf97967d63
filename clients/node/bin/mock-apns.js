#!/usr/bin/env node
"use strict";
// Runs the program of this platform's package with the same arguments, and ends as it does.
const { spawn } = require("node:child_process");
const { findProgram, unsuited } = require("../lib/program.js");

function fail(message, code) {
  process.stderr.write(`mock-apns: ${message}\n`);
  process.exit(code);
}

let program;
try {
  program = findProgram();
} catch (error) {
  fail(error.message, 127);
}
const wrong = unsuited(program);
if (wrong) fail(wrong, 126);
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1"]) {
  try {
    process.on(signal, () => child.kill(signal));
  } catch {
    // This platform does not have it.
  }
}
child.on("error", error => fail(`${program} cannot be started (${error.code}).`, 126));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
