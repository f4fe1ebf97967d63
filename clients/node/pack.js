#!/usr/bin/env node
"use strict";
// Makes the tarballs: the package, and for each program given the package that carries it.
// usage: pack.js OUT PROGRAM... (programs of one version; that version is the packages')
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { madeFor, platform } = require("./lib/program.js");

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];
const [out, ...programs] = process.argv.slice(2);
if (!out || programs.length === 0) {
  process.stderr.write("usage: pack.js OUT PROGRAM...\n");
  process.exit(64);
}

/** What the program that runs here says; a release names it in VERSION where none of them does. */
function findVersion() {
  const own = programs.find(each => madeFor(each) === platform);
  const version = own ? execFileSync(own, ["version"], { encoding: "utf8" }).trim().split(" ").pop() : process.env.VERSION;
  if (!/^\d+\.\d+\.\d+/.test(version || "")) throw new Error(`no version: none of the programs runs on ${platform}, and VERSION is not set`);
  return version;
}

const version = findVersion();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mock-apns-pack-"));
const license = path.join(__dirname, "..", "..", "LICENSE");
const own = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json"), "utf8"));

function pack(name, description, fill) {
  const root = path.join(folder, name);
  fs.mkdirSync(root);
  fs.writeFileSync(path.join(root, "package.json"), JSON.stringify({ ...description, version }, null, 2) + "\n");
  fs.copyFileSync(license, path.join(root, "LICENSE"));
  fill(root);
  execFileSync("npm", ["pack", "--silent", "--offline", "--pack-destination", path.resolve(out)], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  process.stdout.write(`${path.join(out, `${name}-${version}.tgz`)}\n`);
}

try {
  fs.mkdirSync(out, { recursive: true });
  for (const program of programs) {
    const made = madeFor(program);
    if (!PLATFORMS.includes(made)) throw new Error(`${program} is a program for ${made}; there are packages for ${PLATFORMS.join(", ")}`);
    const [system, cpu] = made.split("-");
    const name = `mock-apns-${made}`;
    pack(name, {
      name, description: `The program of the package mock-apns for ${made}`, license: own.license, os: [system], cpu: [cpu],
      preferUnplugged: true, files: ["mock-apns"],
    }, root => {
      fs.copyFileSync(program, path.join(root, "mock-apns"));
      fs.chmodSync(path.join(root, "mock-apns"), 0o755);
    });
  }
  // Only those made here: npm would ask the registry for any other, where the name may be a stranger's.
  const optionalDependencies = Object.fromEntries(programs.map(each => [`mock-apns-${madeFor(each)}`, version]));
  pack("mock-apns", { ...own, optionalDependencies }, root => {
    for (const file of own.files.filter(each => each !== "LICENSE")) fs.cpSync(path.join(__dirname, file), path.join(root, file), { recursive: true });
  });
} finally {
  fs.rmSync(folder, { recursive: true });
}
