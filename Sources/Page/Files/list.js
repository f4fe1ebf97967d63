// The list of requests, the newest on top. It changes at most ten times a second, whatever arrives.

import {$, fill, h} from './dom.js';
import {ago, shortToken} from './format.js';
import {hear, rowLimit, state, tell} from './state.js';
import {lines, remarks, statusWord} from './words.js';

const rows = new Map();
let queue = [];
let timer = null;

/** Puts a whole list in the place of the old one; the newest first. */
export function replace(entries) {
  queue = [];
  state.held = [];
  state.entries = entries.slice(0, rowLimit);
  rows.clear();
  fill($('list'), state.entries.map((entry) => row(entry)));
  showEmpty();
  note();
  // What the address names stays selected, though the list may not hold it.
  const stays = state.entries.some((entry) => entry.id === state.selected) || (state.selected && location.hash.endsWith(`/${state.selected}`));
  if (state.isFollowing || !stays) select(state.entries[0]?.id ?? null, true);
  else mark();
  tell('entries');
}

/** Entries have arrived, the oldest first. */
export function arrive(entries) {
  if (state.isPaused) {
    state.held.push(...entries);
    if (state.held.length > rowLimit) state.held.splice(0, state.held.length - rowLimit);
    note();
    return;
  }
  queue.push(...entries);
  if (queue.length > rowLimit) queue.splice(0, queue.length - rowLimit);
  timer ??= setTimeout(flush, 100);
}

/** Shows what came while the list was paused. */
export function release() {
  const held = state.held;
  state.held = [];
  arrive(held);
  note();
}

function flush() {
  timer = null;
  const known = new Set(state.entries.slice(0, rowLimit).map((entry) => entry.seq));
  const fresh = queue.filter((entry) => !known.has(entry.seq)).sort((a, b) => b.seq - a.seq);
  queue = [];
  if (!fresh.length) return;
  const list = $('list');
  const isAtTop = list.scrollTop < 4;
  const height = list.scrollHeight;
  state.entries.unshift(...fresh);
  const fragment = document.createDocumentFragment();
  for (const entry of fresh) {
    const item = row(entry);
    item.classList.add('is-new');
    fragment.append(item);
  }
  list.prepend(fragment);
  for (const gone of state.entries.splice(rowLimit)) {
    rows.get(gone.id)?.remove();
    rows.delete(gone.id);
  }
  // Who has scrolled down goes on reading the same rows.
  if (!isAtTop) list.scrollTop += list.scrollHeight - height;
  showEmpty();
  note();
  if (state.isFollowing) select(state.entries[0].id, true);
  tell('entries');
}

/** The entry has changed: its answer has gone out. */
export function renew(entry) {
  const index = state.entries.findIndex((known) => known.id === entry.id);
  if (index < 0) return;
  state.entries[index] = entry;
  const old = rows.get(entry.id);
  old?.replaceWith(row(entry));
  mark();
}

function row(entry) {
  const {title, text, isPlain, isKey} = lines(entry);
  const titleClass = `row-title${isPlain ? ' is-plain' : ''}${isKey ? ' is-key' : ''}`;
  const type = entry.outcome === 'broken' ? 'connection' : entry.kind === 'device' ? entry.pushType ?? 'push' : entry.kind;
  const item = h('li', {
    class: `row is-${entry.outcome}${entry.state === 'pending' ? ' is-pending' : ''}`, role: 'option', id: `row-${entry.seq}`,
    'aria-selected': 'false', data: {id: entry.id}, on: {click: () => choose(entry.id)},
  },
  h('span', {class: `status is-${entry.outcome}`, title: entry.outcome}, statusWord(entry)),
  h('div', {},
    h('div', {class: 'row-line'},
      h('span', {class: titleClass}, title), h('span', {class: 'row-type'}, type),
      h('span', {class: 'row-chips'}, remarks(entry).slice(0, 5).map(([kind, words, hint]) => h('span', {class: `chip ${kind}`, title: hint}, words)))),
    h('div', {class: 'row-text'}, text || '\u00a0')),
  h('div', {class: 'row-side'},
    h('time', {datetime: entry.receivedAt, title: entry.receivedAt}, ago(Date.now() - Date.parse(entry.receivedAt))),
    h('span', {class: 'mono', title: entry.device ?? entry.connection?.peer}, entry.device ? shortToken(entry.device) : entry.connection?.id ?? '')));
  rows.set(entry.id, item);
  return item;
}

/** A person has chosen a row: the newest is not followed any more, unless it is the newest. */
export function choose(id) {
  state.isFollowing = id === state.entries[0]?.id && $('list').scrollTop < 4;
  select(id);
}

/** Selects a row and shows it. */
export function select(id, isByItself = false) {
  const isSame = state.selected === id;
  state.selected = id;
  mark();
  if (!isByItself) rows.get(id)?.scrollIntoView({block: 'nearest'});
  if (!isSame) tell('selection', {isByItself});
}

export function move(step) {
  const index = state.entries.findIndex((entry) => entry.id === state.selected);
  const next = state.entries[Math.min(Math.max(index + step, 0), state.entries.length - 1)];
  if (next) choose(next.id);
}

function mark() {
  const list = $('list');
  for (const item of list.querySelectorAll('[aria-selected="true"]')) item.setAttribute('aria-selected', 'false');
  const item = rows.get(state.selected);
  item?.setAttribute('aria-selected', 'true');
  if (item) list.setAttribute('aria-activedescendant', item.id);
  else list.removeAttribute('aria-activedescendant');
}

function note() {
  const line = $('list-note');
  const held = state.held.length;
  line.hidden = !state.isPaused && state.entries.length < rowLimit;
  if (state.isPaused) {
    fill(line, `Paused. ${held === 0 ? 'Nothing has arrived since.' : `${held}${held >= rowLimit ? ' or more' : ''} arrived since.`}`);
  } else {
    fill(line, `The newest ${rowLimit} are shown; a search finds older ones.`);
  }
}

function showEmpty() {
  const isEmpty = state.entries.length === 0;
  $('empty').hidden = !isEmpty;
  $('list').hidden = isEmpty;
}

/** Ages grow. */
setInterval(() => {
  if (document.hidden) return;
  const now = Date.now();
  for (const time of $('list').querySelectorAll('time')) {
    const text = ago(now - Date.parse(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
}, 1000);

hear('paused', note);
