// The server's clock in the bar.

import {$, fill, h} from './dom.js';
import {getJSON} from './api.js';
import {clockTime} from './format.js';
import {hear, serverNow, state} from './state.js';

let mode = 'real';

export async function readClock() {
  const before = Date.now();
  const clock = await getJSON('/clock').catch(() => null);
  if (!clock) return;
  const now = Date.parse(clock.now);
  mode = clock.mode;
  state.frozenAt = mode === 'frozen' ? now : null;
  state.clockOffset = now - (before + Date.now()) / 2;
  draw();
}

function draw() {
  const words = {real: '', offset: 'moved', frozen: 'stands still'}[mode] ?? mode;
  const date = new Date(serverNow());
  fill($('clock'), h('b', {}, clockTime(date)), words && h('span', {class: 'chip is-warn', title: date.toString()}, words));
}

export function startClock() {
  setInterval(() => !document.hidden && draw(), 1000);
  hear('clock reset', readClock);
}
