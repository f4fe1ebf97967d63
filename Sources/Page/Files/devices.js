// The devices, and what each showed after each push.

import {fill, h, icon, toast} from './dom.js';
import {curlLine, getJSON, link, send} from './api.js';
import {exactTime, shortToken} from './format.js';
import {hear, tell} from './state.js';
import {panelFrame, table, teach} from './panels.js';
import {drawCenter} from './phone.js';
import {lines} from './words.js';

const states = ['active', 'offline', 'unregistered', 'expired'];
/** How many pushes the slider goes back. */
const history = 200;
let shown = null;

export async function showDevices(panel, [token]) {
  if (token) return showDevice(panel, token);
  const content = panelFrame(panel, 'Devices', 'Registered tokens have a state: an offline device stores pushes, an unregistered one answers 410. A token that is not registered is a device that is online.',
    h('button', {type: 'button', class: 'button', title: curlLine('POST', '/devices', {count: 1}), on: {click: () => act(() => send('POST', '/devices', {count: 1}))}}, icon('device'), 'New device'));
  shown = content;
  const [{items}, seen] = await Promise.all([getJSON('/devices?limit=1000'), getJSON('/requests?order=desc&limit=500&fields=device,outcome')]);
  const counts = new Map();
  for (const {device, outcome} of seen.items) {
    if (!device) continue;
    const count = counts.get(device.toLowerCase()) ?? {accepted: 0, refused: 0};
    count[outcome === 'accepted' ? 'accepted' : 'refused'] += 1;
    counts.set(device.toLowerCase(), count);
  }
  const registered = new Set(items.map((device) => device.token));
  const others = [...counts.keys()].filter((one) => !registered.has(one)).map((one) => ({token: one, state: 'not registered', topics: []}));
  const all = [...items, ...others];
  fill(content, all.length === 0 ? h('p', {class: 'panel-empty'}, 'No device is registered, and no push has named one.') : table(
    ['Token', 'State', 'Topics', 'Environment', '#Accepted', '#Refused', ''], all.map((device) => row(device, counts.get(device.token)))));
}

function row(device, count) {
  const isKnown = states.includes(device.state);
  const path = `/devices/${device.token}`;
  return h('tr', {},
    h('td', {}, h('a', {href: link(`devices/${device.token}`), class: 'mono', title: device.token}, shortToken(device.token)), (device.os || device.locale) && h('div', {class: 'dim'}, [device.os, device.locale].filter(Boolean).join(', '))),
    h('td', {}, isKnown ? h('select', {
      'aria-label': `State of ${shortToken(device.token)}`, title: curlLine('PATCH', path, {state: device.state}),
      on: {change: (event) => act(() => send('PATCH', path, {state: event.target.value}))},
    }, states.map((state) => h('option', {set: {selected: state === device.state}}, state))) : h('span', {class: 'dim'}, device.state)),
    h('td', {class: 'mono'}, device.topics.join(', ') || 'every topic'), h('td', {}, device.environment ?? ''),
    h('td', {class: 'num'}, count?.accepted ?? 0), h('td', {class: 'num'}, count?.refused ?? 0),
    h('td', {}, h('a', {class: 'button is-small', href: link(`devices/${device.token}`)}, 'Inbox')));
}

async function act(doing) {
  try {
    await doing();
    tell('device');
    dispatchEvent(new HashChangeEvent('hashchange'));
  } catch (error) {
    toast(error.message, true);
  }
}

async function showDevice(panel, token) {
  const content = panelFrame(panel, `Device ${shortToken(token)}`, 'What the device showed after each push: move the slider.', h('a', {class: 'button', href: link('devices')}, 'All devices'));
  shown = content;
  const pushes = (await getJSON(`/requests?device=${encodeURIComponent(token)}&order=desc&limit=${history}`)).items.reverse();
  const slider = h('input', {type: 'range', min: 0, max: Math.max(0, pushes.length - 1), value: Math.max(0, pushes.length - 1), 'aria-label': 'After which push'});
  const where = h('div', {class: 'slider'});
  const phone = h('div', {});
  const facts = h('div', {});
  let number = 0;
  const draw = async () => {
    const mine = ++number;
    const push = pushes[Number(slider.value)];
    const inbox = await getJSON(`/devices/${token}/inbox${push ? `?through=${push.seq}` : ''}`);
    if (mine !== number) return;
    fill(where, slider, h('span', {class: 'dim'}, push ? `${Number(slider.value) + 1} of ${pushes.length}` : 'no push yet'));
    fill(phone, drawCenter(inbox));
    fill(facts, push && h('p', {}, 'After ', h('a', {href: link(push.id)}, lines(push).title), `, ${exactTime(push.receivedAt)}`), summary(inbox), lesson(token, push));
  };
  slider.addEventListener('input', draw);
  fill(content, where, h('div', {class: 'split'}, facts, phone));
  await draw();
}

function lesson(token, push) {
  return teach(() => curlLine('GET', `/devices/${token}/inbox${push ? `?through=${push.seq}` : ''}`));
}

function summary(inbox) {
  const rows = [
    ['State', inbox.registered ? inbox.state : 'not registered, online'], ['Badge', inbox.badge ?? 'not set'], ['Notifications', inbox.center.reduce((sum, thread) => sum + thread.items.length, 0)],
    ['Live Activities', inbox.liveActivities.map((one) => `${one.attributesType ?? one.topic}: ${one.state}`).join(', ') || 'none'],
    ['Silent wake-ups', inbox.silentWakeups], ['Stored for later', inbox.stored.length], ['Handled by the system', inbox.handled.length],
  ];
  return [
    h('section', {class: 'card'}, h('table', {class: 'table'}, h('tbody', {}, rows.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, String(value))))))),
    inbox.dropped.length > 0 && h('section', {class: 'card'}, h('h3', {}, 'Not shown'), h('table', {class: 'table'}, h('tbody', {}, inbox.dropped.map(({id, why}) => h('tr', {}, h('th', {scope: 'row'}, h('a', {href: link(id)}, id)), h('td', {}, why)))))),
    inbox.truncated && h('p', {class: 'footnote'}, 'Older pushes are not held any more.'),
  ];
}

hear('device', () => shown?.isConnected && location.hash === link('devices') && dispatchEvent(new HashChangeEvent('hashchange')));
