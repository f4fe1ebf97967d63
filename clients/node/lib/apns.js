"use strict";
const { createPrivateKey, sign } = require("node:crypto");
const { call, json } = require("./http.js");
const { ExpectationError, MockAPNsError } = require("./errors.js");

/** A world of its own on a server: a log, devices, rules, keys and a clock that no other test sees. */
class APNs {
  #server;

  constructor(server, made) {
    this.#server = server;
    const { facts } = server;
    this.name = made.name;
    // Not the server's own `base`: a container is reached by another port than it knows.
    this.base = `${server.admin}/v1/ns/${encodeURIComponent(made.name)}`;
    const own = (scheme, port, shared) => port ? `${scheme}://${made.apns.host}:${port}` : shared && shared.url;
    const ports = made.apns || {};
    this.url = own("https", ports.port, facts.apns);
    this.h2cUrl = own("http", ports.h2cPort, facts.h2c);
    this.http1Url = own("http", ports.http1Port, facts.http1);
    this.host = this.url && new URL(this.url).hostname;
    this.port = this.url && Number(new URL(this.url).port || 443);
    this.ca = server.ca;
    ({ keyId: this.keyId, teamId: this.teamId, p8: this.key } = made.key);
    this.clock = new Clock(this.base);
    this.ended = false;
  }

  /** The test CA as a file, for senders that want one. */
  get caFile() {
    return this.#server.facts.caFile ?? this.#server.file("ca.pem", this.ca);
  }

  /** The sender's key as a file. */
  get keyFile() {
    return this.#server.file(`AuthKey_${this.keyId}.p8`, this.key);
  }

  /** A provider token of this namespace's key, for senders without a library; `at` is when it was issued. */
  providerToken({ at = new Date() } = {}) {
    const part = value => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "ES256", kid: this.keyId })}.${part({ iss: this.teamId, iat: Math.floor(at / 1000) })}`;
    const signature = sign("sha256", Buffer.from(text), { key: createPrivateKey(this.key), dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
  }

  /** Issues a client certificate: { certificate, key } as PEM; takes what POST /v1/certs takes. */
  certificate(order = {}) {
    return json("POST", `${this.base}/certs`, order);
  }

  /** Waits for pushes that match and gives them; without a number at least one. `outcome: "rejected"` asks for refusals. */
  expect(match = {}, options = {}) {
    return this.#expect(match, options, this.expect);
  }

  /** Expects that nothing matches, and that nothing comes for `within`. */
  async expectNone(match = {}, { within = "200ms", ...options } = {}) {
    await this.#expect(match, { exactly: 0, within, ...options }, this.expectNone);
  }

  async #expect(match, { count, exactly, within = "5s", settle, after = 0 }, caller) {
    const wanted = { outcome: "accepted", ...match };
    const question = { match: wanted, wait: within, after, count, exactly, settle };
    await this.#judge("POST", "/requests/query", question, caller);
    if (exactly === 0) return [];
    return (await json("POST", `${this.base}/requests/query`, { match: wanted, after, limit: 1000 })).items;
  }

  /** Several expectations at once, in order or with nothing else; takes what POST /v1/verify takes. */
  async verify(question) {
    await this.#judge("POST", "/verify", { wait: "5s", ...question }, this.verify);
  }

  async #judge(method, path, question, caller) {
    const answer = await call(method, this.base + path, { body: question, accept: "text/plain" });
    if (answer.status === 417) throw new ExpectationError(answer.text.trimEnd(), caller);
    if (answer.status >= 300) throw new MockAPNsError(answer.text.trimEnd());
  }

  /** What has arrived by now: accepted, rejected, faulted and broken, unless `match` says which. */
  async requests(match = {}, { after = 0, limit = 1000 } = {}) {
    return (await json("POST", `${this.base}/requests/query`, { match, after, limit })).items;
  }

  /** The number of the last entry, for `after`. */
  async cursor() {
    return (await json("GET", `${this.base}/cursor`)).cursor;
  }

  /** Lets the next pushes fail: a reason, or what POST /v1/fail-next takes. */
  failNext(reason, options = {}) {
    return json("POST", `${this.base}/fail-next`, typeof reason === "string" ? { reason, ...options } : reason);
  }

  /** Adds a rule: what POST /v1/rules takes. */
  rule(rule) {
    return json("POST", `${this.base}/rules`, rule);
  }

  /** Registers a device: what POST /v1/devices takes. */
  async device(order = {}) {
    const { items } = await json("POST", `${this.base}/devices`, order);
    return new Device(this.base, items[0]);
  }

  /** Back to the state at start: no entries, no rules, the clock as it was. */
  async reset({ keep = [] } = {}) {
    await json("POST", `${this.base}/reset`, { keep });
  }

  /** Ends the namespace; throws what the server says when a push was refused unasked, or a rule never fired. */
  async verdict() {
    await this.#end("?verdict=clean", this.verdict);
  }

  /** Ends the namespace without a judgement. */
  async end() {
    await this.#end("", this.end);
  }

  async #end(query, caller) {
    if (this.ended) return;
    this.ended = true;
    const url = `${this.#server.admin}/v1/namespaces/${encodeURIComponent(this.name)}${query}`;
    const answer = await call("DELETE", url, { accept: "text/plain" });
    if (answer.status === 417) throw new ExpectationError(answer.text.trimEnd(), caller);
    if (answer.status >= 300 && answer.status !== 404) throw new MockAPNsError(answer.text.trimEnd());
  }
}

if (Symbol.asyncDispose) {
  APNs.prototype[Symbol.asyncDispose] = APNs.prototype.end;
}

/** The clock of a namespace. */
class Clock {
  #url;

  constructor(base) {
    this.#url = `${base}/clock`;
  }

  async now() {
    return new Date((await json("GET", this.#url)).now);
  }

  /** Moves the clock on: "61m". */
  async advance(duration) {
    await json("POST", this.#url, { advance: duration });
  }

  /** Lets it stand still, now or at a time. */
  async freeze(time = "now") {
    await json("PUT", this.#url, { freeze: time instanceof Date ? time.toISOString() : time });
  }

  /** The machine's time again. */
  async resume() {
    await json("PUT", this.#url, { mode: "real" });
  }
}

/** A registered device. */
class Device {
  #url;

  constructor(base, made) {
    this.token = made.token;
    this.#url = `${base}/devices/${made.token}`;
  }

  toString() {
    return this.token;
  }

  /** Changes it: what PATCH /v1/devices/{token} takes. */
  async set(changes) {
    return json("PATCH", this.#url, changes);
  }

  /** The app was removed; pushes are answered 410, with `since` as their timestamp. */
  async unregister({ since } = {}) {
    await this.set({ state: "unregistered", since });
  }

  /** What the device would be showing now. */
  inbox() {
    return json("GET", `${this.#url}/inbox`);
  }
}

module.exports = { APNs, Clock, Device };
