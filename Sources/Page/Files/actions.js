// What can be done with a request: pass it on in some form, send it again, make a rule or a device from it.

import {copyText, h, icon, toast} from './dom.js';
import {getText, send} from './api.js';
import {lines} from './words.js';
import {hear, tell} from './state.js';

const forms = [
  ['curl', 'curl to the mock', (entry) => getText(`/requests/${entry.id}/curl`), 'c'],
  ['apple', 'curl to Apple, with $JWT', (entry) => getText(`/requests/${entry.id}/curl?target=apple`)],
  ['apns', '.apns for xcrun simctl push', (entry) => getText(`/requests/${entry.id}/apns`, {accept: 'application/json'})],
  ['json', 'JSON', (entry) => Promise.resolve(`${JSON.stringify(entry, null, 2)}\n`)],
  null,
  ['verify', 'mock-apns wait', (entry) => getText(`/requests/${entry.id}/test?lang=sh`)],
  ['swift', 'Swift Testing', (entry) => getText(`/requests/${entry.id}/test?lang=swift`)],
  ['pytest', 'pytest', (entry) => getText(`/requests/${entry.id}/test?lang=pytest`)],
  ['go', 'Go', (entry) => getText(`/requests/${entry.id}/test?lang=go`)],
  ['junit', 'JUnit', (entry) => getText(`/requests/${entry.id}/test?lang=junit`)],
  null,
  ['markdown', 'Markdown for a report', (entry) => Promise.resolve(markdown(entry))],
];

/** The buttons of a request. */
export function actions(entry) {
  const isRequest = entry.outcome !== 'broken';
  return [
    h('button', {type: 'button', class: 'button is-small', 'aria-haspopup': 'menu', on: {click: (event) => openMenu(event.currentTarget, entry)}}, icon('copy'), 'Copy as', icon('chevron')),
  ].concat(isRequest ? extra.map((make) => make(entry)) : []);
}

/** Buttons that other parts of the page add. */
const extra = [];
export function addAction(make) {
  extra.push(make);
}

/** Copies a form of the request. */
export async function copyAs(entry, name) {
  const form = forms.find((one) => one?.[0] === name);
  try {
    await copyText(await form[2](entry), form[1]);
  } catch (error) {
    toast(error.message, true);
  }
}

function openMenu(button, entry) {
  const close = () => {
    menu.remove();
    document.removeEventListener('pointerdown', outside, true);
  };
  const outside = (event) => {
    if (!menu.contains(event.target)) close();
  };
  const menu = h('div', {
    class: 'menu', role: 'menu', 'aria-label': 'Copy as',
    on: {
      keydown: (event) => {
        const items = [...menu.querySelectorAll('button')];
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (step) items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
        else if (event.key === 'Escape') {
          close();
          button.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  }, forms.map((form) => (form === null ? h('hr') : h('button', {
    type: 'button', role: 'menuitem',
    on: {
      click: () => {
        close();
        button.focus();
        copyAs(entry, form[0]);
      },
    },
  }, form[1], form[3] && h('kbd', {}, form[3])))));
  document.body.append(menu);
  const box = button.getBoundingClientRect();
  menu.style.setProperty('left', `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`);
  menu.style.setProperty('top', `${Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8)}px`);
  document.addEventListener('pointerdown', outside, true);
  menu.querySelector('button').focus();
}

/** A report of the request in Markdown. */
export function markdown(entry) {
  const {title} = lines(entry);
  const fence = '```';
  const status = entry.response?.status ?? '-';
  const parts = [`### ${status} ${title}`, '', `| | |`, `|---|---|`];
  const cell = (text) => String(text).replace(/\|/g, '\\|').replace(/\n/g, ' ');
  const rows = [['id', entry.id], ['received', entry.receivedAt], ['push type', entry.pushType], ['topic', entry.topic], ['device', entry.device], ['apns-id', entry.apnsId], ['profile', entry.profile]];
  for (const [name, value] of rows) if (value) parts.push(`| ${name} | \`${cell(value)}\` |`);
  if (entry.rejection) {
    parts.push('', `**${entry.rejection.reason}**: ${entry.rejection.explanation}`, '', `Fix: ${entry.rejection.fix}`, '');
    for (const check of entry.rejection.checks.filter((one) => one.ok === false)) {
      parts.push(`* \`${check.check}\`: expected ${check.expected}, found ${check.actual}`);
    }
  }
  for (const finding of entry.findings ?? []) parts.push('', `* ${finding.code} ${finding.message}`);
  if (entry.payload !== null && entry.payload !== undefined) parts.push('', `${fence}json`, JSON.stringify(entry.payload, null, 2), fence);
  return `${parts.join('\n')}\n`;
}

addAction((entry) => entry.device && entry.kind === 'device' && h('button', {
  type: 'button', class: 'button is-small', title: 'Register the token, so that it can go offline or be unregistered',
  on: {
    click: async () => {
      try {
        await send('POST', '/devices', {token: entry.device.toLowerCase()});
        toast('The device is registered');
        tell('device');
      } catch (error) {
        toast(error.message, true);
      }
    },
  },
}, icon('device'), 'Make device'));
hear('copy', ({entry, form}) => copyAs(entry, form));
