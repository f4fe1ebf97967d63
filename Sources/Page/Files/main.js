// Begins: reads what is there, follows what comes, and connects the parts.

import {$, copyText, fill, fillSegments, h, icon, toast} from './dom.js';
import {getJSON, link, origin, place, Refusal, send} from './api.js';
import {Feed} from './events.js';
import {filterQuery, hear, state, tell} from './state.js';
import {arrive, choose, move, release, renew, replace, select} from './list.js';
import {chooseTab, currentEntry} from './detail.js';
import {copyAs} from './actions.js';
import {showEmpty} from './empty.js';
import {refreshSoon, startRail} from './rail.js';
import {showKeys, startKeyboard} from './keyboard.js';
import {startTheme} from './theme.js';
import {startToken} from './token.js';
import {readClock, startClock} from './clock.js';
import {showRules} from './rules.js';
import {showDevices} from './devices.js';
import {showReport} from './report.js';
import {compose} from './composer.js';
import {showConnections} from './connections.js';

const outcomes = ['', 'accepted', 'rejected', 'faulted', 'broken'];
/** How many requests are fetched at first. */
const firstPage = 200;
let loads = 0;

// MARK: Loading

const feed = new Feed({
  entries(list) {
    arrive(list);
    countSoon();
  },
  event(name, data) {
    if (name === 'reset') load();
    else if (name === 'evicted' && data.to) toast(`The server has forgotten ${data.to - data.from + 1} requests before the page could read them`, true);
    // An answer that was held back has gone out.
    if (name === 'completed') {
      renew(data);
      return tell('renewed', data);
    }
    if (name === 'namespace') readNamespaces();
    tell(name, data);
  },
  state: showState,
  restarted: () => load(),
});

async function load() {
  const number = ++loads;
  feed.stop();
  try {
    const info = await getJSON('/info');
    const {cursor} = await getJSON('/cursor');
    const list = await getJSON(`/requests?order=desc&limit=${firstPage}${filterQuery()}`);
    if (number !== loads) return;
    state.info = info;
    showProblem(null);
    showFacts();
    replace(list.items);
    showEmpty();
    feed.start(Math.max(cursor, list.items[0]?.seq ?? 0), filterQuery(), info.instance);
    await Promise.all([readClock(), readNamespaces()]);
    refreshSoon();
    tell('info');
  } catch (error) {
    if (number !== loads) return;
    if (error instanceof Refusal && error.status === 400) return showProblem(error);
    if (error instanceof Refusal && error.status === 404 && place.namespace !== 'default') {
      toast(error.message, true);
      location.hash = '#/';
      return;
    }
    showState('lost', 1500);
    setTimeout(() => number === loads && load(), 1500);
  }
}

function showState(name, detail) {
  const words = {live: 'live', lost: 'lost', busy: `busy, ${detail}/s`, connecting: 'connecting'}[name];
  const isPaused = state.isPaused && name === 'live';
  $('live').dataset.state = isPaused ? 'paused' : name;
  fill($('live'), h('i', {'aria-hidden': 'true'}), h('span', {}, isPaused ? 'paused' : words));
  $('live').title = name === 'busy' ? 'More arrives than a page can show: the newest are shown once a second' : '';
  const banner = $('banner');
  banner.hidden = name !== 'lost';
  if (name === 'lost') fill(banner, icon('alert'), h('span', {}, `The server at ${origin()} does not answer. The page goes on where it was as soon as it does.`));
}

function showFacts() {
  const {info} = state;
  const listener = (kind) => info.listeners.find((one) => one.kind === kind)?.address;
  const port = (address) => address?.replace(/^127\.0\.0\.1|^0\.0\.0\.0|^\[::1?\]/, '');
  $('version').textContent = info.version;
  const apns = listener('apns');
  const rows = [
    ['profile', info.profile], ['seed', info.seed, true],
    apns && ['APNs', h('button', {type: 'button', title: `Copy https://${apns}`, on: {click: () => copyText(`https://${apns}`, 'the address')}}, port(apns))],
    listener('h2c') && ['h2c', port(listener('h2c')), true], listener('http1') && ['HTTP/1.1', port(listener('http1')), true],
    ['admin', port(listener('admin')) ?? location.port, true],
  ].filter(Boolean);
  fill($('facts'), rows.map(([name, value, isOptional]) => h('div', {class: isOptional ? 'is-optional' : null}, h('dt', {}, name), h('dd', {}, value))));
}

async function readNamespaces() {
  const {items} = await getJSON('/namespaces', {ofServer: true}).catch(() => ({items: []}));
  $('namespace-field').hidden = items.length < 2;
  fill($('namespace'), items.map(({name, journal}) => h('option', {value: name, set: {selected: name === place.namespace}}, journal ? `${name} (${journal.entries})` : name)));
}

// MARK: Filters

let countTimer = null;
function countSoon() {
  countTimer ??= setTimeout(async () => {
    countTimer = null;
    const info = await getJSON('/info').catch(() => null);
    if (!info) return;
    state.info = info;
    showOutcomes();
  }, 1200);
}

function showOutcomes() {
  const journal = state.info?.journal;
  const all = journal && journal.accepted + journal.rejected + journal.faulted + journal.broken;
  fillSegments($('outcomes'), outcomes.map((name) => [name, name ? name[0].toUpperCase() + name.slice(1) : 'All', journal ? short(name ? journal[name] : all) : undefined]), state.outcome, (name) => {
    state.outcome = name;
    showOutcomes();
    tell('filters');
    load();
  });
}

function short(number) {
  return number < 10_000 ? String(number) : number < 1_000_000 ? `${Math.round(number / 1000)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}

let searchTimer = null;
function search(text, isAtOnce = false) {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => {
    if (state.search === text) return;
    state.search = text;
    tell('filters');
    load();
  }, isAtOnce ? 0 : 220);
}

function showProblem(error) {
  const line = $('search-problem');
  line.hidden = !error;
  $('search').setAttribute('aria-invalid', error ? 'true' : 'false');
  if (error) fill(line, error.hint && h('b', {}, error.hint, ' '), error.message);
}

const filters = {
  hasWord: (word) => ` ${state.search} `.includes(` ${word} `),
  toggleWord(word) {
    const has = filters.hasWord(word);
    const text = has ? ` ${state.search} `.replace(` ${word} `, ' ').trim() : `${state.search} ${word}`.trim();
    $('search').value = text;
    search(text, true);
    if (!$('panel').hidden) location.hash = link();
  },
};

// MARK: Doings

function pause() {
  state.isPaused = !state.isPaused;
  showPause();
  showState('live');
  if (!state.isPaused) release();
  tell('paused');
}

function showPause() {
  const button = $('pause');
  button.setAttribute('aria-pressed', String(state.isPaused));
  button.title = state.isPaused ? 'Go on (p)' : 'Pause the list (p)';
  fill(button, icon(state.isPaused ? 'play' : 'pause'), h('span', {class: 'label'}, state.isPaused ? 'Go on' : 'Pause'));
}

function clear() {
  const dialog = h('dialog', {'aria-labelledby': 'clear-title', on: {close: () => dialog.remove()}});
  const where = place.namespace === 'default' ? 'the namespace default' : `the namespace ${place.namespace}`;
  fill(dialog, h('form', {
    method: 'dialog',
    on: {
      submit: async (event) => {
        if (event.submitter?.value !== 'yes') return;
        try {
          await send('DELETE', '/requests');
          replace([]);
          showEmpty();
          countSoon();
          toast('The requests are forgotten');
        } catch (error) {
          toast(error.message, true);
        }
      },
    },
  }, h('h2', {id: 'clear-title'}, 'Forget all requests?'),
  h('p', {}, `The server forgets the requests of ${where}, for everybody. Devices, rules, keys and the log file stay.`),
  h('div', {class: 'dialog-actions'}, h('button', {class: 'button', value: 'no'}, 'Keep them'), h('button', {class: 'button is-danger', value: 'yes', autofocus: true}, 'Forget them'))));
  document.body.append(dialog);
  dialog.showModal();
}

function follow() {
  state.isFollowing = true;
  $('list').scrollTop = 0;
  if (state.entries[0]) select(state.entries[0].id);
}

// MARK: Where the page is

/** What is shown in the place of list and detail: `#/rules`. */
const panels = {rules: showRules, devices: showDevices, report: showReport, connections: showConnections};

function readHash() {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  let namespace = 'default';
  if (parts[0] === 'ns') [, namespace] = parts.splice(0, 2);
  const isOther = (namespace ?? 'default') !== place.namespace;
  place.namespace = namespace ?? 'default';
  document.querySelector('.brand').href = link();
  const [name, ...rest] = parts;
  const show = Object.hasOwn(panels, name ?? '') ? panels[name] : null;
  const panel = $('panel');
  panel.hidden = !show;
  document.querySelector('.columns').classList.toggle('has-panel', Boolean(show));
  if (show) {
    fill(panel);
    show(panel, rest).catch((error) => fill(panel, h('div', {class: 'panel-inner'}, h('p', {class: 'panel-empty'}, error.message))));
  } else if (name) {
    state.isFollowing = false;
    select(name);
  }
  tell('filters');
  return isOther;
}

// MARK: Begin

startTheme();
startToken();
startClock();
startRail(filters);
showPause();
showOutcomes();
fill($('help'), icon('help'));
$('help').setAttribute('aria-label', 'Keys');
fill($('clear'), icon('clear'), h('span', {class: 'label'}, 'Clear'));
$('clear').title = 'Clear the requests (x)';
fill($('compose'), icon('pen'), h('span', {class: 'label'}, 'Compose'));
$('compose').title = 'Compose a push (n)';
$('compose').addEventListener('click', compose);
$('pause').addEventListener('click', pause);
$('clear').addEventListener('click', clear);
$('help').addEventListener('click', showKeys);
$('search').addEventListener('input', (event) => search(event.target.value));
$('search').addEventListener('keydown', (event) => event.key === 'Enter' && search(event.target.value, true));
$('list').addEventListener('focus', () => !state.selected && state.entries[0] && choose(state.entries[0].id));
$('namespace').addEventListener('change', (event) => {
  const name = event.target.value;
  location.hash = name === 'default' ? '#/' : `#/ns/${encodeURIComponent(name)}`;
});
document.addEventListener('clear-filters', () => {
  $('search').value = '';
  state.search = '';
  state.outcome = '';
  showOutcomes();
  tell('filters');
  load();
});
hear('info', showOutcomes);
hear('theme', () => chooseTabAgain());
function chooseTabAgain() {
  if (currentEntry()) tell('renewed', currentEntry());
}
startKeyboard({
  '/': () => $('search').select(),
  'j': () => move(1),
  'k': () => move(-1),
  'g': follow,
  'c': () => currentEntry() && copyAs(currentEntry(), 'curl'),
  'p': pause,
  'x': clear,
  '?': showKeys,
  'n': compose,
  'r': () => currentEntry() && tell('replay', currentEntry()),
  'tab': chooseTab,
  'Escape': () => {
    if (!$('panel').hidden) location.hash = link();
    else follow();
  },
});
addEventListener('hashchange', () => readHash() && load());
document.addEventListener('visibilitychange', () => !document.hidden && refreshSoon());

readHash();
load();
