// The selected request: its head, its actions and its tabs.

import {$, fill, h, icon} from './dom.js';
import {exactTime, shortToken} from './format.js';
import {entryOf, hear, state} from './state.js';
import {getJSON} from './api.js';
import {lines, statusWord} from './words.js';
import {actions} from './actions.js';
import {drawIdle} from './phone.js';
import {showPreview} from './preview.js';
import {showExplanation} from './explain.js';
import {showHeaders} from './headers.js';
import {showRaw} from './raw.js';
import {showConnection} from './connection.js';

const tabs = [
  ['preview', 'Preview', showPreview], ['explain', 'Explain', showExplanation], ['headers', 'Headers', showHeaders],
  ['raw', 'Raw', showRaw], ['connection', 'Connection', showConnection],
];

let chosen = sessionStorage.getItem('mock-apns-tab') ?? 'preview';
let shown = null;
let pending = null;
/** How long a request that follows another is left on the screen. */
const rest = 220;
let lastDraw = 0;

/** Chooses a tab by its place, from 0. */
export function chooseTab(index) {
  const tab = tabs[index];
  if (!tab) return;
  chosen = tab[0];
  sessionStorage.setItem('mock-apns-tab', chosen);
  draw(true);
}

export function currentEntry() {
  return shown;
}

async function draw(isForced = false) {
  const pane = $('detail');
  const id = state.selected;
  if (!id) {
    shown = null;
    fill(pane, h('div', {class: 'detail-none'}, drawIdle(), h('p', {}, state.entries.length ? 'Select a request to see what the phone shows.' : 'The phone waits for a push.')));
    return;
  }
  let entry = entryOf(id);
  if (!entry) {
    try {
      entry = await getJSON(`/requests/${encodeURIComponent(id)}`);
    } catch (error) {
      if (state.selected === id) fill(pane, h('p', {class: 'detail-none'}, error.message));
      return;
    }
    if (state.selected !== id) return;
  }
  const isOther = shown?.id !== entry.id;
  shown = entry;
  drawFrame(pane, entry, isOther || isForced);
}

function drawFrame(pane, entry, isOther) {
  const {title, isKey} = lines(entry);
  const head = h('header', {class: 'detail-head'},
    h('div', {class: 'detail-title'},
      h('span', {class: `status is-${entry.outcome}`}, statusWord(entry)),
      h('h2', {class: isKey ? 'mono' : null, title}, title)),
    h('div', {class: 'detail-sub'},
      h('span', {}, exactTime(entry.receivedAt)),
      entry.response?.afterMs !== undefined && entry.response?.afterMs !== null && h('span', {}, `answered in ${entry.response.afterMs} ms`),
      entry.device && h('span', {class: 'mono', title: entry.device}, `to ${shortToken(entry.device)}`),
      h('span', {class: 'mono'}, entry.id)),
    h('div', {class: 'detail-actions'}, actions(entry)),
    h('div', {class: 'tabs', role: 'tablist', 'aria-label': 'Parts of the request'}, tabs.map(([name, label], index) => h('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'tab', 'aria-selected': name === chosen ? 'true' : 'false',
      tabindex: name === chosen ? 0 : -1, 'aria-keyshortcuts': index + 1, title: `${label} (${index + 1})`,
      on: {
        click: () => chooseTab(index),
        keydown: (event) => {
          const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
          if (!step) return;
          event.preventDefault();
          const next = (index + step + tabs.length) % tabs.length;
          chooseTab(next);
          document.getElementById(`tab-${tabs[next][0]}`)?.focus();
        },
      },
    }, label, name === 'explain' && (entry.rejection || entry.findings?.length > 0) && h('span', {class: 'mark', title: 'there is something to read'})))));
  const body = h('div', {class: 'tab', role: 'tabpanel', id: 'tab', tabindex: 0, 'aria-labelledby': `tab-${chosen}`});
  const focused = document.activeElement?.id;
  fill(pane, head, body);
  if (focused?.startsWith('tab-')) document.getElementById(focused)?.focus();
  const show = tabs.find(([name]) => name === chosen)?.[2] ?? showPreview;
  show(body, entry, {isNew: isOther, isCurrent: () => body.isConnected && shown === entry})
    ?.catch?.((error) => {
      if (body.isConnected) fill(body, h('p', {class: 'detail-none'}, icon('alert'), ' ', error.message));
    });
}

hear('selection', ({isByItself} = {}) => {
  // What follows by itself does so a few times a second at most.
  const wait = isByItself ? Math.max(0, lastDraw + rest - performance.now()) : 0;
  clearTimeout(pending);
  pending = setTimeout(() => {
    lastDraw = performance.now();
    draw();
  }, wait);
});
hear('tab', chooseTab);
hear('renewed', (entry) => {
  if (entry.id === state.selected) draw(true);
});
draw();
