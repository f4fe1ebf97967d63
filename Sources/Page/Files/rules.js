// Scripted outcomes: the rules that are there, and a form for new ones. Each control shows its line for a shell.

import {fill, h, icon, toast} from './dom.js';
import {curlLine, getJSON, link, send} from './api.js';
import {ago, shortToken} from './format.js';
import {hear, tell} from './state.js';
import {field, panelFrame, table, teach} from './panels.js';
import {addAction} from './actions.js';

const faults = ['accept-then-drop', 'hang', 'silently-discard', 'reset-stream', 'headers-only', 'truncate-body', 'dribble', 'goaway', 'close', 'rst'];
let reasons = [];
let shown = null;
/** What the form begins with, when a request asked for a rule. */
let prefill = null;

export async function showRules(panel) {
  const content = panelFrame(panel, 'Rules', 'A rule decides what happens to the requests that it means: a refusal, a delay, a broken answer. The first that fires wins.',
    h('button', {type: 'button', class: 'button is-danger', title: 'DELETE /v1/rules', on: {click: () => act(() => send('DELETE', '/rules'), 'All rules are gone')}}, icon('clear'), 'Remove all'));
  shown = {panel, list: h('div', {}), form: h('div', {})};
  fill(content, shown.list, h('h3', {class: 'section-title'}, 'New rule'), shown.form);
  if (!reasons.length) reasons = (await getJSON('/reasons', {ofServer: true}).catch(() => ({items: []}))).items;
  drawForm();
  await drawList();
}

async function drawList() {
  if (!shown?.list.isConnected) return;
  const {items} = await getJSON('/rules');
  fill(shown.list, items.length === 0 ? h('p', {class: 'panel-empty'}, 'No rules: every request gets the answer that Apple would give.') : table(
    ['On', 'Rule', 'Means', 'Then', '#Hits', '#Left', 'Last', ''], items.map((rule) => row(rule))));
}

function row(rule) {
  const isOn = rule.when?.probability !== 0;
  const key = `mock-apns-rule-${rule.id}`;
  const change = isOn ? {when: {...rule.when, probability: 0}} : {when: JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? withoutProbability(rule.when)};
  const line = curlLine('PATCH', `/rules/${encodeURIComponent(rule.id)}`, change);
  return h('tr', {},
    h('td', {}, h('button', {
      type: 'button', class: 'switch', role: 'switch', 'aria-checked': String(isOn), 'aria-label': `Rule ${rule.id}`, title: line,
      on: {
        click: () => {
          if (isOn) sessionStorage.setItem(key, JSON.stringify(rule.when ?? {}));
          act(() => send('PATCH', `/rules/${encodeURIComponent(rule.id)}`, change));
        },
      },
    })),
    h('td', {}, h('b', {}, rule.id), rule.note && h('div', {class: 'dim'}, rule.note)),
    h('td', {class: 'mono'}, rule.match ? JSON.stringify(rule.match) : 'all', rule.when && h('div', {class: 'dim'}, JSON.stringify(rule.when)),
      rule.nearest && h('div', {class: 'dim', title: JSON.stringify(rule.nearest, null, 1)}, 'never fired')),
    h('td', {class: 'mono'}, JSON.stringify(rule.then)),
    h('td', {class: 'num'}, rule.hits), h('td', {class: 'num'}, rule.remaining ?? '∞'),
    h('td', {class: 'dim'}, rule.lastHit ? h('a', {href: link(rule.lastHit.id ?? '')}, `${ago(Date.now() - Date.parse(rule.lastHit.at))} ago`) : ''),
    h('td', {}, h('button', {
      type: 'button', class: 'icon-button', title: curlLine('DELETE', `/rules/${encodeURIComponent(rule.id)}`), 'aria-label': `Remove ${rule.id}`,
      on: {click: () => act(() => send('DELETE', `/rules/${encodeURIComponent(rule.id)}`), 'The rule is gone')},
    }, icon('cross'))));
}

function withoutProbability(when) {
  const {probability, ...rest} = when ?? {};
  return rest;
}

async function act(doing, words) {
  try {
    await doing();
    if (words) toast(words);
    tell('rule');
    await drawList();
  } catch (error) {
    toast([error.message, error.hint].filter(Boolean).join(' '), true);
  }
}

function drawForm() {
  const text = (name, placeholder) => h('input', {type: 'text', name, placeholder, autocomplete: 'off', spellcheck: 'false', set: {value: prefill?.[name] ?? ''}});
  const choice = (name, options) => h('select', {name}, options.map(([value, label]) => h('option', {value, set: {selected: prefill?.[name] === value}}, label)));
  const outcome = choice('outcome', [...reasons.map((reason) => [`reason:${reason.reason}`, `refuse: ${reason.status} ${reason.reason}`]), ['accept', 'accept, later'], ...faults.map((fault) => [`fault:${fault}`, `fault: ${fault}`])]);
  if (!prefill) outcome.value = 'reason:TooManyRequests';
  const form = h('form', {class: 'card', autocomplete: 'off'});
  const lesson = teach(() => curlLine('POST', '/rules', read(form)));
  fill(form, h('div', {class: 'pad'},
    h('div', {class: 'form-grid'},
      field('Device, exact or with *', text('device', 'all')), field('Topic', text('topic', 'all')),
      field('Push type', choice('pushType', [['', 'all'], ...['alert', 'background', 'liveactivity', 'voip', 'location', 'complication', 'fileprovider', 'mdm', 'pushtotalk', 'widgets', 'controls'].map((type) => [type, type])])),
      field('What happens', outcome), field('Delay', text('delay', 'none, or 200ms')),
      field('How often', text('times', 'always, or a number')),
      field('Counted', choice('per', [['', 'together'], ['device', 'for each device'], ['topic', 'for each topic'], ['connection', 'for each connection'], ['key', 'for each key']])),
      field('Probability', text('probability', '1')), field('Name', text('id', 'a new one')), field('Note', text('note', 'for people'))),
    lesson,
    h('div', {class: 'dialog-actions'}, h('button', {class: 'button is-primary', type: 'submit'}, icon('rule'), 'Add the rule'))));
  form.addEventListener('input', () => lesson.renew());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act(() => send('POST', '/rules', read(form)), 'The rule is there');
  });
  lesson.renew();
  prefill = null;
  fill(shown.form, form);
}

/** The rule that the form describes. */
function read(form) {
  const value = (name) => form.elements[name]?.value.trim() ?? '';
  const number = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
  const match = Object.fromEntries(['device', 'topic', 'pushType'].filter(value).map((name) => [name, value(name)]));
  const when = Object.fromEntries([['per', value('per')], ['times', value('times') && number(value('times'))], ['probability', value('probability') && number(value('probability'))]].filter(([, one]) => one !== ''));
  const [kind, name] = value('outcome').split(':');
  const then = kind === 'accept' ? {accept: true} : {[kind]: name};
  if (value('delay')) then.delay = value('delay');
  const rule = {then};
  if (Object.keys(match).length) rule.match = match;
  if (Object.keys(when).length) rule.when = when;
  for (const part of ['id', 'note']) if (value(part)) rule[part] = value(part);
  return rule;
}

addAction((entry) => entry.kind === 'device' && h('button', {
  type: 'button', class: 'button is-small', title: `A rule for pushes like this one to ${shortToken(entry.device)}`,
  on: {
    click: () => {
      prefill = {device: entry.device ?? '', topic: entry.topic ?? '', pushType: entry.pushType ?? '', outcome: entry.rejection ? `reason:${entry.rejection.reason}` : 'reason:TooManyRequests', times: '1'};
      location.hash = link('rules');
    },
  },
}, icon('rule'), 'Make rule'));
hear('entries rule', () => {
  if (!shown?.list.isConnected || shown.timer) return;
  shown.timer = setTimeout(() => {
    shown.timer = null;
    drawList().catch(() => {});
  }, 1000);
});
