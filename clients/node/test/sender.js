"use strict";
// What a service that sends pushes looks like: one connection, a provider token that is kept, retries, a clean-up.
const http2 = require("node:http2");

class Sender {
  constructor({ url, ca, providerToken }, devices = []) {
    Object.assign(this, { url, ca, token: providerToken(), devices: new Set(devices) });
  }

  /** Sends to a device until it is accepted or refused for good. */
  async push(device, title, headers = {}) {
    for (let tries = 3; ; tries--) {
      const answer = await this.#request(device, title, headers).catch(error => ({ error }));
      const again = answer.error || answer.status === 429;
      if (again && tries > 1) continue;
      if (answer.error) throw answer.error;
      if (answer.status === 410) this.devices.delete(device);
      return answer;
    }
  }

  #request(device, title, headers) {
    if (!this.session || this.session.closed || this.session.destroyed) {
      const session = http2.connect(this.url, { ca: this.ca });
      session.on("error", () => {});
      session.on("goaway", () => session.close());
      this.session = session;
    }
    return new Promise((resolve, reject) => {
      let answer;
      let text = "";
      const stream = this.session.request({
        ":method": "POST", ":path": `/3/device/${device}`, authorization: `bearer ${this.token}`,
        "apns-topic": "com.example.app", "apns-push-type": "alert", ...headers,
      });
      stream.on("response", fields => { answer = { status: fields[":status"], id: fields["apns-id"] }; });
      stream.on("data", part => { text += part; });
      stream.on("error", reject);
      stream.on("close", () => answer ? resolve({ ...answer, ...(text && JSON.parse(text)) }) : reject(new Error("no answer")));
      stream.end(JSON.stringify({ aps: { alert: { title } } }));
    });
  }

  close() {
    if (this.session) this.session.close();
  }
}

/** A sender to the namespace of a test, which ends with it. */
function sender(t, apns, devices) {
  const made = new Sender({ url: apns.url, ca: apns.ca, providerToken: () => apns.providerToken() }, devices);
  t.after(() => made.close());
  return made;
}

module.exports = { sender };
