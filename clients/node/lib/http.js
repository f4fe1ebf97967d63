"use strict";
const http = require("node:http");
const { MockAPNsError } = require("./errors.js");

// No answer takes longer: the server lets nobody wait for more than a minute.
const LONGEST_ANSWER = 75_000;
// A connection for each call: a kept one could end between two calls of a slow test.
const agent = new http.Agent({ keepAlive: false });

/** One call of the admin API: resolves with { status, text }, whatever the status is. */
function call(method, url, { body, accept = "application/json" } = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { accept };
  if (text !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = Buffer.byteLength(text);
  }
  if (process.env.MOCK_APNS_ADMIN_TOKEN) headers.authorization = `Bearer ${process.env.MOCK_APNS_ADMIN_TOKEN}`;
  if (call.observer) call.observer({ method, url, body });
  return new Promise((resolve, reject) => {
    const failed = error => reject(new MockAPNsError(
      `The mock-apns server at ${new URL(url).origin} does not answer (${error.code || error.message}); see whether it still runs.`, { cause: error }));
    const request = http.request(url, { method, headers, agent, timeout: LONGEST_ANSWER }, answer => {
      const parts = [];
      answer.on("data", part => parts.push(part));
      answer.on("error", failed);
      answer.on("end", () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", failed);
    request.end(text);
  });
}

/** A call that must succeed: resolves with the JSON of the answer. */
async function json(method, url, body) {
  const answer = await call(method, url, { body });
  if (answer.status < 300) return JSON.parse(answer.text);
  throw new MockAPNsError(inWords(answer));
}

/** A refusal in the words of the server's text form. */
function inWords({ status, text }) {
  try {
    const { title, detail, hint } = JSON.parse(text);
    return [`${status} ${title}`, detail, hint && `hint: ${hint}`].filter(Boolean).join("\n");
  } catch {
    return text.trim();
  }
}

module.exports = { call, json };
