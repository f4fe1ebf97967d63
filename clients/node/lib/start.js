"use strict";
const { randomBytes } = require("node:crypto");
const { APNs } = require("./apns.js");
const { json } = require("./http.js");
const { launch, join } = require("./server.js");

const servers = new Map();

/** A namespace for one test, of the one server of this process, which the first call starts. */
async function start(scope, options) {
  const ends = scope && (scope.onTestFinished || scope.after);
  if (typeof ends !== "function") return start({ after() {}, name: scope && scope.name }, scope);
  const { admin = process.env.MOCK_APNS_ADMIN, url, program, args, timeout, namespace } = options || {};
  const identity = JSON.stringify([admin, url, program, args]);
  if (!servers.has(identity)) {
    const starting = admin ? join(admin, url) : launch({ program, args, timeout });
    // A start that failed is tried again by the next test, and says the same there.
    starting.catch(() => servers.delete(identity));
    servers.set(identity, starting);
  }
  const server = await servers.get(identity);
  const made = await json("POST", `${server.admin}/v1/namespaces`, {
    name: name(scope.name || (scope.task && scope.task.name)), ttl: "1h", key: true,
    // Ports of its own let senders choose it by their URL alone; those of a container are not reached from here.
    ...(server.samePlace ? { port: 0 } : {}),
    ...namespace,
  });
  const apns = new APNs(server, made);
  ends.call(scope, () => apns.end());
  return apns;
}

/** The test's name with a random end, so that parallel runs do not meet. */
function name(text) {
  return `${(text || "test").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 80)}-${randomBytes(4).toString("hex")}`;
}

module.exports = { start };
