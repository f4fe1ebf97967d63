// The overview at the left: counts that follow what happens; a click filters.

import {$, fill, h} from './dom.js';
import {getJSON, link} from './api.js';
import {searchWord, shortToken} from './format.js';
import {hear, state} from './state.js';

/** How often the counts are asked for at most, in milliseconds; less often when the server takes long to answer. */
const shortestPace = 2500;
let pace = shortestPace;
const itemLimit = 8;
let facts = {devices: [], deviceCount: 0, rules: [], keys: [], report: null, connections: null};
let timer = null;
let last = 0;

/** Puts a word of the search in or takes it out. */
let toggleWord = () => {};
let hasWord = () => false;

export function startRail(filters) {
  ({toggleWord, hasWord} = filters);
  hear('entries device rule reset namespace', () => refreshSoon());
  hear('filters entries', draw);
  draw();
}

/** Asks for the counts again, soon and not too often. */
export function refreshSoon() {
  timer ??= setTimeout(refresh, Math.max(80, last + pace - Date.now()));
}

async function refresh() {
  timer = null;
  last = Date.now();
  if (document.hidden) return;
  const start = performance.now();
  const ask = (path, options) => getJSON(path, options).catch(() => null);
  const [devices, rules, keys, report, connections] = await Promise.all([
    ask('/devices?limit=50'), ask('/rules'), ask('/keys'), ask('/report'), ask('/connections?limit=1', {ofServer: true}),
  ]);
  facts = {devices: devices?.items ?? [], deviceCount: devices?.matched ?? 0, rules: rules?.items ?? [], keys: keys?.items ?? [], report, connections};
  pace = Math.max(shortestPace, 20 * (performance.now() - start));
  draw();
}

/** How often a value occurs among the requests of the list, the most frequent first. */
function counts(value) {
  const result = new Map();
  for (const entry of state.entries) {
    const key = value(entry);
    if (key) result.set(key, (result.get(key) ?? 0) + 1);
  }
  return result;
}

function draw() {
  const seen = counts((entry) => entry.device?.toLowerCase());
  const topics = counts((entry) => entry.topic);
  const registered = new Map(facts.devices.map((device) => [device.token, device]));
  const tokens = [...new Set([...registered.keys(), ...seen.keys()])].sort((a, b) => (seen.get(b) ?? 0) - (seen.get(a) ?? 0));
  const findings = facts.report?.findings ?? [];
  fill($('rail'),
    section('Devices', tokens.length > facts.deviceCount ? tokens.length : facts.deviceCount, 'devices', tokens.map((token) => {
      const device = registered.get(token);
      return item({
        dot: !device ? 'is-hollow' : {active: 'is-good', offline: 'is-warn'}[device.state] ?? 'is-bad', hint: `${token}\n${device ? device.state : 'not registered'}`,
        name: shortToken(token), isMono: true, count: seen.get(token) ?? 0, word: searchWord('device', token),
      });
    })),
    section('Topics', topics.size, null, [...topics].sort((a, b) => b[1] - a[1]).map(([topic, count]) => item({name: topic, hint: topic, count, word: searchWord('topic', topic)}))),
    section('Keys', facts.keys.length, null, facts.keys.map((key) => item({
      dot: key.revoked ? 'is-bad' : 'is-good', name: key.keyId, hint: `${key.keyId} of ${key.teamId}${key.revoked ? ', revoked' : ''}`, isMono: true, word: searchWord('keyId', key.keyId),
    }))),
    section('Rules', facts.rules.length, 'rules', facts.rules.map((rule) => item({
      dot: rule.remaining === 0 ? 'is-hollow' : 'is-warn', name: rule.id, hint: rule.note ?? rule.id, count: rule.remaining !== null && rule.remaining !== undefined ? `${rule.hits}, ${rule.remaining} left` : rule.hits,
      word: searchWord('rule', rule.id),
    }))),
    section('Report', findings.length ? null : 'clean', 'report', findings.map((finding) => item({
      dot: finding.severity === 'error' ? 'is-bad' : 'is-warn', name: `${finding.code}  ${finding.expected ?? ''}`, hint: finding.fix, count: finding.count, word: searchWord('finding', finding.code),
    }))),
    section('Connections', facts.connections?.opened ?? '', 'connections', []));
}

function section(title, count, name, items) {
  const href = name && link(name);
  const head = [h('span', {}, title), h('span', {class: 'n'}, count)];
  const hidden = items.length - itemLimit;
  return h('section', {},
    href ? h('a', {class: 'rail-head', href, 'aria-current': location.hash === href ? 'page' : null}, head) : h('h2', {class: 'rail-head'}, head),
    items.slice(0, itemLimit), hidden > 0 && h('div', {class: 'rail-more'}, `${hidden} more`));
}

function item({dot, name, hint, count, word, isMono}) {
  return h('button', {type: 'button', class: 'rail-item', title: hint, 'aria-pressed': hasWord(word) ? 'true' : 'false', on: {click: () => toggleWord(word)}},
    h('span', {class: `dot ${dot ?? ''}`, 'aria-hidden': 'true', set: {hidden: !dot}}), !dot && h('span'), h('span', {class: isMono ? 'name mono' : 'name'}, name), h('span', {class: 'n'}, count ?? ''));
}
