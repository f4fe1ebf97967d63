// Writes a push and sends it through the real APNs port of the server; shows what the phone would show while it is written.

import {$, fill, fillSegments, h, icon, toast} from './dom.js';
import {curlLine, getJSON, send} from './api.js';
import {bytes, minifyJSON, shortToken} from './format.js';
import {drawScreen} from './phone.js';
import {field, teach} from './panels.js';
import {hear, state} from './state.js';
import {addAction} from './actions.js';

/** What a push of each type begins with. */
const now = () => Math.floor(Date.now() / 1000);
const kinds = {
  alert: {label: 'Alert', suffix: '', payload: () => ({aps: {alert: {title: 'Shipped', body: 'Order 42 is on its way'}, sound: 'default'}})},
  background: {label: 'Silent', suffix: '', priority: '5', payload: () => ({aps: {'content-available': 1}})},
  start: {
    label: 'Activity start', type: 'liveactivity', suffix: '.push-type.liveactivity',
    payload: () => ({aps: {timestamp: now(), event: 'start', 'attributes-type': 'Order', attributes: {id: 42}, 'content-state': {eta: 18, stage: 'packed'}, alert: {title: 'Order 42', body: 'We are packing it'}}}),
  },
  update: {label: 'Update', type: 'liveactivity', suffix: '.push-type.liveactivity', payload: () => ({aps: {timestamp: now(), event: 'update', 'content-state': {eta: 12, stage: 'on the road'}}})},
  end: {label: 'End', type: 'liveactivity', suffix: '.push-type.liveactivity', payload: () => ({aps: {timestamp: now(), event: 'end', 'content-state': {eta: 0, stage: 'delivered'}, 'dismissal-date': now() + 3600}})},
  voip: {label: 'Call', suffix: '.voip', payload: () => ({callerName: 'Ada Lovelace', uuid: crypto.randomUUID?.() ?? '1'})},
};
const suffixes = ['.push-type.liveactivity', '.voip'];
const texts = [['title', 'Title'], ['subtitle', 'Subtitle'], ['body', 'Body']];
const levels = ['', 'passive', 'active', 'time-sensitive', 'critical'];

/** What was written last stays while the page is open. */
const draft = {kind: 'alert', device: '', topic: '', priority: '', collapse: '', expiration: '', payload: ''};
let dialog = null;

export function compose() {
  if (dialog) return;
  draft.device ||= state.entries.find((entry) => entry.device)?.device ?? randomToken();
  draft.topic ||= bare(state.entries.find((entry) => entry.topic)?.topic ?? 'com.example.app');
  draft.payload ||= JSON.stringify(kinds[draft.kind].payload(), null, 2);
  dialog = h('dialog', {class: 'composer', 'aria-labelledby': 'composer-title', on: {close: () => {
    dialog.remove();
    dialog = null;
  }}});
  document.body.append(dialog);
  const first = draw();
  dialog.showModal();
  first.focus();
  first.select?.();
}

function bare(topic) {
  const suffix = suffixes.find((one) => topic.endsWith(one));
  return suffix ? topic.slice(0, -suffix.length) : topic;
}

function randomToken() {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The push as `POST /v1/send` takes it. */
function order() {
  const kind = kinds[draft.kind];
  const headers = {'apns-topic': draft.topic + kind.suffix, 'apns-push-type': kind.type ?? draft.kind};
  if (draft.priority || kind.priority) headers['apns-priority'] = draft.priority || kind.priority;
  if (draft.collapse) headers['apns-collapse-id'] = draft.collapse;
  if (draft.expiration !== '') headers['apns-expiration'] = draft.expiration;
  const text = minifyJSON(draft.payload);
  const device = draft.device.trim();
  try {
    const payload = JSON.parse(text);
    // What JavaScript cannot hold, such as long numbers, goes as it was written.
    if (JSON.stringify(payload) === text) return {device, headers, payload};
  } catch {
    // No JSON: that may be what is to be tried.
  }
  return {device, headers, payloadText: text};
}

function draw() {
  const form = h('form', {class: 'composer-frame', autocomplete: 'off', on: {submit: (event) => {
    event.preventDefault();
    deliver();
  }}});
  const kindPicker = h('div', {class: 'segments', role: 'radiogroup', 'aria-label': 'Kind of push'});
  const pickKind = (name) => {
    draft.kind = name;
    draft.payload = JSON.stringify(kinds[name].payload(), null, 2);
    fillSegments(kindPicker, Object.entries(kinds).map(([key, {label}]) => [key, label]), draft.kind, pickKind);
    area.value = draft.payload;
    easy.hidden = name !== 'alert';
    readPayload();
    renew();
  };
  const input = (name, attributes = {}) => h('input', {
    type: 'text', spellcheck: 'false', ...attributes, set: {value: draft[name]},
    on: {input: (event) => {
      draft[name] = event.target.value;
      renew();
    }},
  });
  const device = input('device', {list: 'composer-devices', class: 'mono', 'aria-label': 'Device token'});
  const area = h('textarea', {
    rows: 12, spellcheck: 'false', 'aria-label': 'Payload', set: {value: draft.payload},
    on: {input: () => {
      draft.payload = area.value;
      readPayload();
      renew();
    }},
  });
  const size = h('span', {class: 'dim'});
  const screen = h('div', {});
  const verdict = h('span', {class: 'verdict-line', role: 'status'});
  const lesson = teach(() => curlLine('POST', '/send', order()));
  const easy = h('div', {class: 'form-grid', set: {hidden: draft.kind !== 'alert'}});

  /** Fields that write into the payload: what they do not know stays as it is. */
  const controls = new Map();
  const write = (path, value) => {
    let payload;
    try {
      payload = JSON.parse(draft.payload);
    } catch {
      return;
    }
    let place = payload;
    for (const name of path.slice(0, -1)) {
      if (typeof place[name] !== 'object' || place[name] === null) place[name] = name === 'alert' && typeof place[name] === 'string' ? {body: place[name]} : {};
      place = place[name];
    }
    if (value === '' || value === false) delete place[path.at(-1)];
    else place[path.at(-1)] = value;
    draft.payload = JSON.stringify(payload, null, 2);
    area.value = draft.payload;
    renew();
  };
  const bound = (path, control, convert = (value) => value) => {
    controls.set(path.join('.'), {control, path});
    control.addEventListener('input', () => write(path, control.type === 'checkbox' ? (control.checked ? 1 : false) : convert(control.value)));
    return control;
  };
  const number = (value) => (value === '' || !Number.isFinite(Number(value)) ? value : Number(value));
  const readPayload = () => {
    let payload = null;
    try {
      payload = JSON.parse(draft.payload);
    } catch {
      // The fields stand still until it is JSON again.
    }
    for (const {control, path} of controls.values()) {
      control.disabled = payload === null;
      let value = payload;
      for (const name of path) value = value?.[name];
      if (path[1] === 'alert' && path[2] === 'body' && typeof payload?.aps?.alert === 'string') value = payload.aps.alert;
      if (document.activeElement === control) continue;
      if (control.type === 'checkbox') control.checked = Boolean(value);
      else control.value = value === undefined || value === null || typeof value === 'object' ? '' : String(value);
    }
  };
  fill(easy, texts.map(([name, label]) => field(label, bound(['aps', 'alert', name], h('input', {type: 'text'})), name === 'body' ? 'wide' : 'half')),
    field('Badge', bound(['aps', 'badge'], h('input', {type: 'text', inputmode: 'numeric', placeholder: 'unchanged'}), number)),
    field('Sound', bound(['aps', 'sound'], h('input', {type: 'text', placeholder: 'silent'}))),
    field('Thread', bound(['aps', 'thread-id'], h('input', {type: 'text'}))),
    field('Interruption level', bound(['aps', 'interruption-level'], h('select', {}, levels.map((level) => h('option', {value: level}, level || 'not said'))))));

  let timer = null;
  let turn = 0;
  const renew = () => {
    lesson.renew();
    const length = new TextEncoder().encode(minifyJSON(draft.payload)).length;
    const limit = draft.kind === 'voip' ? 5120 : state.info?.limits.payloadBytes ?? 4096;
    size.textContent = `${bytes(length)} of ${bytes(limit)}`;
    size.className = length > limit ? 'chip is-bad' : length > limit * 0.9 ? 'chip is-warn' : 'dim';
    clearTimeout(timer);
    timer = setTimeout(rehearse, 180);
  };
  /** Asks the server what it would answer, and what the phone would show. */
  const rehearse = async () => {
    const mine = ++turn;
    const body = order();
    const [preview, explanation] = await Promise.all([send('POST', '/preview', body), send('POST', '/explain', {...body, assumeSender: true})]
      .map((promise) => promise.catch((error) => ({problem: error.message}))));
    if (mine !== turn || !dialog) return;
    if (!preview.problem) fill(screen, drawScreen(preview, null, {screen: 'lock', theme: 'auto', size: '1', locale: ''}));
    const word = explanation.problem ? ['is-bad', explanation.problem]
      : explanation.answer?.status === 200 ? ['is-good', 'would be accepted'] : ['is-bad', `${explanation.answer?.status ?? 'no answer'} ${explanation.answer?.reason ?? ''}`];
    const finding = explanation.findings?.[0];
    fill(verdict, h('span', {class: `chip ${word[0]}`}, word[1]), ' ', explanation.explanation ?? (finding ? `${finding.code} ${finding.message}` : ''));
    verdict.title = [explanation.explanation, explanation.fix].filter(Boolean).join('\n');
  };

  const deliver = async () => {
    try {
      const answer = await send('POST', '/send', order());
      if (answer.failure) toast(`No answer: ${answer.failure}`, true);
      else if (answer.status === 200) {
        toast('Sent and accepted');
        dialog?.close();
      } else toast(`${answer.status} ${answer.reason}`, true);
    } catch (error) {
      toast(error.message, true);
    }
  };

  fill(form,
    h('div', {class: 'composer-body'},
      h('div', {class: 'composer-form'},
        h('h2', {id: 'composer-title'}, 'Compose a push'), kindPicker,
        h('div', {class: 'form-grid'},
          h('label', {class: 'field is-wide'}, h('span', {}, 'Device token'), h('span', {class: 'device-row'}, device, h('button', {
            type: 'button', class: 'button', title: 'A token that nobody has',
            on: {click: () => {
              draft.device = randomToken();
              device.value = draft.device;
              renew();
            }},
          }, 'New'))),
          field('Topic', input('topic', {title: 'Without what the push type adds to it'})),
          field('Priority', h('select', {on: {change: (event) => {
            draft.priority = event.target.value;
            renew();
          }}}, [['', 'not said'], ['10', '10 at once'], ['5', '5 saves power'], ['1', '1 never wakes']].map(([value, label]) => h('option', {value, set: {selected: draft.priority === value}}, label)))),
          field('Collapse id', input('collapse')), field('Expiration', input('expiration', {placeholder: '0, or a time', title: 'Seconds since 1970; 0 for one try'}))),
        easy,
        h('div', {class: 'field'}, h('span', {class: 'row-line'}, h('span', {}, 'Payload'), h('span', {class: 'grow'}), size), area),
        lesson, h('datalist', {id: 'composer-devices'})),
      h('div', {class: 'composer-side'}, screen)),
    h('div', {class: 'composer-foot'}, verdict, h('button', {type: 'button', class: 'button', on: {click: () => dialog.close()}}, 'Cancel'),
      h('button', {type: 'submit', class: 'button is-primary'}, icon('send'), 'Send')));
  fill(dialog, form);
  fillSegments(kindPicker, Object.entries(kinds).map(([key, {label}]) => [key, label]), draft.kind, pickKind);
  readPayload();
  renew();
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  getJSON('/devices?limit=50').then(({items}) => {
    const tokens = new Set([...items.map((one) => one.token), ...state.entries.map((entry) => entry.device?.toLowerCase()).filter(Boolean)]);
    fill($('composer-devices'), [...tokens].slice(0, 60).map((token) => h('option', {value: token}, shortToken(token))));
  }).catch(() => {});
  return draft.kind === 'alert' ? controls.get('aps.alert.title').control : area;
}

/** Sends a request again, as it came. */
async function replay(entry) {
  if (entry.outcome === 'broken') return;
  try {
    const answer = await send('POST', '/send', {replay: entry.id});
    if (answer.failure) toast(`No answer: ${answer.failure}`, true);
    else toast(`Sent again: ${answer.status}${answer.reason ? ` ${answer.reason}` : ''}`, answer.status !== 200);
  } catch (error) {
    toast(error.message, true);
  }
}

addAction((entry) => h('button', {type: 'button', class: 'button is-small', title: 'Send the request again (r)', 'aria-keyshortcuts': 'r', on: {click: () => replay(entry)}}, icon('replay'), 'Replay'));
hear('replay', replay);
