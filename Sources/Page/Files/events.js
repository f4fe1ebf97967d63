// The stream of what happens: newline-delimited JSON over fetch, so that the token can be sent; it goes on where it was.

import {getJSON, request, Refusal} from './api.js';

/** So long without a line (the server sends one every 15 s) and the connection counts as lost. */
const silence = 40_000;
/** Above so many entries in a second the page asks for the newest now and then, and reads the stream no more. */
const busyRate = 300;
/** What the page wants to hear: not each connection, which may come as often as pushes. */
const types = 'notification,rejected,faulted,broken,completed,clock,rule,device,namespace,reset';

export class Feed {
  #listener;
  #query = '';
  #cursor = 0;
  #instance = '';
  #abort = null;
  #run = 0;
  /** How often in turn the server has refused the stream, as one of another version may. */
  #refusals = 0;

  /** `listener` has entries(list), event(name, data), state(name, detail) and restarted(). */
  constructor(listener) {
    this.#listener = listener;
  }

  get cursor() {
    return this.#cursor;
  }

  /** Begins behind a cursor, with filters as in a query. */
  start(cursor, query, instance) {
    this.stop();
    this.#cursor = cursor;
    this.#query = query;
    this.#instance = instance || this.#instance;
    this.#go(++this.#run);
  }

  stop() {
    this.#run += 1;
    this.#abort?.abort();
  }

  async #go(run) {
    let pause = 400;
    while (run === this.#run) {
      try {
        const isBusy = await this.#read(run, () => {
          pause = 400;
          this.#refusals = 0;
        });
        if (isBusy && run === this.#run) await this.#poll(run);
        continue;
      } catch (error) {
        if (run !== this.#run) return;
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
          this.#refusals += 1;
          this.#listener.state('lost');
          await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** this.#refusals, 15_000)));
          if (run === this.#run) this.#listener.restarted();
          return;
        }
      }
      if (run !== this.#run) return;
      this.#listener.state('lost', pause);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 1.7, 5000);
    }
  }

  /** Reads the stream until it ends; true when there is more than a page can show. */
  async #read(run, onLine) {
    const abort = new AbortController();
    this.#abort = abort;
    let timer = setTimeout(() => abort.abort(), silence);
    try {
      const response = await request(`/events?after=${this.#cursor}&types=${types}${this.#query}`, {
        accept: 'application/x-ndjson', signal: abort.signal,
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      let second = Math.floor(performance.now() / 1000);
      let count = 0;
      for (;;) {
        const {done, value} = await reader.read();
        if (done) throw new Error('the stream ended');
        if (run !== this.#run) return false;
        onLine();
        clearTimeout(timer);
        timer = setTimeout(() => abort.abort(), silence);
        const lines = (rest + value).split('\n');
        rest = lines.pop();
        const entries = [];
        // Of a flood only the end is looked at.
        const isFlood = lines.length > busyRate;
        for (const line of isFlood ? lines.slice(-100) : lines) {
          if (line && !this.#take(JSON.parse(line), entries)) return false;
        }
        if (entries.length) this.#listener.entries(entries);
        if (isFlood) return true;
        const now = Math.floor(performance.now() / 1000);
        count = now === second ? count + entries.length : entries.length;
        second = now;
        if (count > busyRate) return true;
      }
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  }

  /** False when another run of the server answers. */
  #take(item, entries) {
    const name = item.event;
    if (name === 'hello') {
      const isOther = this.#instance && this.#instance !== item.instance;
      this.#instance = item.instance;
      if (isOther) {
        this.stop();
        this.#listener.restarted();
        return false;
      }
      this.#listener.state('live');
    } else if (item.seq && name !== 'completed') {
      this.#cursor = Math.max(this.#cursor, item.seq);
      entries.push(item);
    } else if (name === 'heartbeat') {
      this.#cursor = Math.max(this.#cursor, item.cursor);
    } else {
      if (name === 'evicted' && item.to) this.#cursor = Math.max(this.#cursor, item.to);
      this.#listener.event(name, item);
    }
    return true;
  }

  /** Asks for the newest once a second until there are few enough to read each. */
  async #poll(run) {
    let calm = 0;
    let last = performance.now();
    while (run === this.#run && calm < 2) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const before = this.#cursor;
      const answer = await getJSON(`/requests?order=desc&limit=100&after=${before}${this.#query}`);
      if (run !== this.#run) return;
      const rate = Math.round((answer.matched * 1000) / (performance.now() - last));
      last = performance.now();
      this.#cursor = Math.max(before, answer.items[0]?.seq ?? 0);
      this.#listener.state('busy', rate);
      if (answer.items.length) this.#listener.entries(answer.items.reverse());
      calm = rate < busyRate / 3 ? calm + 1 : 0;
    }
  }
}
