// The picture of a phone, from the facts that the server has worked out. Nothing here decides what is shown.

import {h, icon} from './dom.js';
import {ago} from './format.js';
import {serverNow} from './state.js';
import {tile} from './parts.js';

/** A phone that waits. */
export function drawIdle() {
  const app = {letter: '', hue: 220, name: '', icon: null};
  const preview = {app, kind: 'idle', reachesDevice: true, faded: true, note: '', below: 0, shownBadge: null};
  return drawScreen(preview, null, {screen: 'lock', theme: 'auto', size: '1', locale: ''});
}

/** The picture: a phone, or the watch. `inbox` is what Notification Center holds then. */
export function drawScreen(preview, entry, options, {inbox = null, isLit = false} = {}) {
  const time = new Date(entry?.serverTime ?? entry?.receivedAt ?? serverNow());
  const context = {preview, options, time, inbox, now: serverNow(), locale: options.locale || undefined};
  if (options.screen === 'watch') return watch(context);
  const isOff = !preview.reachesDevice;
  const isDim = !isOff && (preview.faded || ['silent', 'nothing', 'system', 'badge', 'request'].includes(preview.kind) || preview.interruptionLevel === 'passive');
  const isDark = options.theme === 'dark' || (options.theme === 'auto' && getComputedStyle(document.documentElement).colorScheme.includes('dark') && isDarkPage());
  const element = h('figure', {
    class: ['phone', isDark && 'is-dark', isOff && 'is-off', isDim && options.screen === 'lock' && 'is-dim', isLit && !isOff && 'is-lit'].filter(Boolean).join(' '),
    'aria-label': 'What the phone shows',
  }, screen(context, isOff));
  element.style.setProperty('--text-size', options.size);
  return element;
}

function isDarkPage() {
  const theme = document.documentElement.dataset.theme;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

function screen(context, isOff) {
  const {preview, options} = context;
  const frame = (...children) => h('div', {class: 'screen'}, h('div', {class: 'wallpaper'}), h('div', {class: 'island'}), statusbar(context), children, h('div', {class: 'home-bar'}));
  if (isOff) {
    return frame(h('div', {class: 'unreached'}, icon('unreached'), h('b', {}, 'Never reached the device'), h('span', {}, (preview.fate ?? '').replace(/^never reached the device: /, ''))));
  }
  if (preview.kind === 'call' && options.screen !== 'center') return frame(call(context));
  if (options.screen === 'center') return frame(center(context));
  if (options.screen === 'banner') return frame(h('div', {class: 'banner-pile'}, content(context)), home(context));
  return frame(
    h('div', {class: 'lock-date'}, context.time.toLocaleDateString(context.locale, {weekday: 'long', day: 'numeric', month: 'long'})),
    h('div', {class: 'lock-time'}, hours(context)),
    h('div', {class: 'pile'}, content(context), under(preview)),
    h('div', {class: 'lock-foot'}, h('i'), h('i')));
}

function hours({time, locale}) {
  return time.toLocaleTimeString(locale, {hour: 'numeric', minute: '2-digit'}).replace(/\s*[AP]M$/i, '');
}

function statusbar(context) {
  return h('div', {class: 'statusbar'}, h('span', {}, context.options.screen === 'lock' ? '' : hours(context)),
    h('span', {class: 'bars'}, h('i'), h('i'), h('i'), h('i'), h('i', {class: 'cell'})));
}

/** What the push itself puts on the screen. */
function content(context) {
  const {preview} = context;
  switch (preview.kind) {
    case 'alert': return bubble(context, preview);
    case 'activity': return [preview.title || preview.body ? bubble(context, preview) : null, activity(preview)];
    case 'silent': return card('Silent push', preview.note.replace(/^Silent push\. /, ''));
    case 'badge': return card('Badge or sound only', preview.note);
    case 'idle': return null;
    case 'system': return card(`${preview.app.name}: handled silently`, preview.note);
    default: return card('Nothing to show', preview.note);
  }
}

function card(title, text) {
  return h('div', {class: 'system-card'}, h('b', {}, title), text);
}

function under(preview) {
  if (preview.kind !== 'alert') return [];
  return Array.from({length: Math.min(preview.below, 2)}, () => h('div', {class: 'under'}));
}

function bubble(context, preview) {
  const body = preview.body && h('div', {class: 'bubble-body', dir: 'auto'}, textOf(preview.body));
  const more = preview.body && preview.body.text.length > 110 && h('button', {
    type: 'button', class: 'bubble-more', 'aria-expanded': 'false',
    on: {
      click: (event) => {
        const isOpen = body.classList.toggle('is-open');
        event.target.textContent = isOpen ? 'less' : 'more';
        event.target.setAttribute('aria-expanded', String(isOpen));
      },
    },
  }, 'more');
  const isPale = preview.faded;
  const isPassive = preview.interruptionLevel === 'passive';
  return h('div', {class: `bubble is-this${isPale ? ' is-pale' : ''}${isPassive ? ' is-passive' : ''}`},
    tile(preview.app),
    h('div', {},
      level(preview.interruptionLevel),
      h('div', {class: 'bubble-head'}, h('span', {class: 'bubble-title', dir: 'auto'}, preview.title ? textOf(preview.title) : preview.app.name), h('span', {class: 'bubble-time'}, 'now')),
      preview.subtitle && h('div', {class: 'bubble-sub', dir: 'auto'}, textOf(preview.subtitle)),
      body, more));
}

/** A text; a key without a translation stands in its own type, with what would be put into it. */
function textOf(text) {
  if (!text.missing) return text.text;
  return [h('span', {class: 'bubble-key'}, text.text), text.arguments.length > 0 && h('span', {class: 'bubble-args'}, text.arguments.join(', '))];
}

function level(name) {
  if (name === 'time-sensitive') return h('div', {class: 'bubble-level'}, icon('bell'), 'TIME SENSITIVE');
  if (name === 'critical') return h('div', {class: 'bubble-level is-critical'}, icon('alert'), 'CRITICAL');
  return null;
}

function activity(preview) {
  const facts = preview.activity;
  if (!facts) return card('Live Activity', preview.note);
  const isPale = facts.dismissed || preview.faded;
  const foot = [
    facts.event === 'start' ? 'started' : facts.event === 'end' ? 'ended' : `update ${facts.updates || ''}`.trim(),
    facts.stale && 'stale', facts.dismissed && 'dismissed',
  ].filter(Boolean).join(' · ');
  return h('div', {class: `activity${isPale ? ' is-pale' : ''}`},
    h('div', {class: 'activity-head'}, tile(preview.app), h('span', {}, facts.attributesType ?? preview.app.name)),
    facts.state.length > 0 ? h('dl', {}, facts.state.map((row) => [h('dt', {title: row.path}, row.path), h('dd', {class: `is-${row.change}`}, stateValue(row))])) : null,
    h('div', {class: 'activity-foot'}, foot));
}

function stateValue(row) {
  const plain = (text) => (text?.startsWith('"') ? JSON.parse(text.endsWith('"') ? text : `${text.slice(0, -1)}"`) : text);
  const safe = (text) => {
    try {
      return plain(text);
    } catch {
      return text;
    }
  };
  if (row.change === 'changed') return [h('s', {}, safe(row.before)), ' → ', safe(row.value)];
  if (row.change === 'removed') return h('s', {}, safe(row.before));
  return safe(row.value);
}

function call({preview}) {
  return h('div', {class: 'call'}, tile({...preview.app, letter: (preview.caller ?? preview.app.name).charAt(0).toUpperCase(), icon: null}),
    h('b', {dir: 'auto'}, preview.caller ?? 'Unknown caller'), h('span', {}, `${preview.app.name} call`),
    h('div', {class: 'call-buttons'}, h('i', {title: 'Decline'}, icon('cross')), h('i', {title: 'Accept'}, icon('call'))));
}

function center(context) {
  const {inbox, preview, now} = context;
  if (!inbox) return h('div', {class: 'center-list'}, h('div', {class: 'center-title'}, 'Notification Center'), content(context));
  const items = inbox.center.flatMap((thread) => thread.items.slice(0, 1).map((item) => ({item, thread})));
  return h('div', {class: 'center-list'},
    h('div', {class: 'center-title'}, 'Notification Center'),
    inbox.liveActivities.some((one) => one.state !== 'dismissed') && preview.activity ? activity(preview) : null,
    items.length === 0 ? card('No notifications', 'Nothing of the pushes up to this one is left to read.') : null,
    items.map(({item, thread}) => [
      h('div', {class: `bubble${item.id === preview.id ? ' is-this is-marked' : ''}`},
        tile(thread.topic === preview.app.bundleId ? preview.app : {letter: (thread.topic.split('.').pop() ?? '?').charAt(0).toUpperCase(), hue: 220}),
        h('div', {},
          h('div', {class: 'bubble-head'}, h('span', {class: 'bubble-title', dir: 'auto'}, item.title ?? thread.topic), h('span', {class: 'bubble-time'}, ago(now - Date.parse(item.deliveredAt)))),
          item.subtitle && h('div', {class: 'bubble-sub', dir: 'auto'}, item.subtitle),
          item.body && h('div', {class: 'bubble-body', dir: 'auto'}, item.body))),
      Array.from({length: Math.min(thread.items.length - 1, 2)}, () => h('div', {class: 'under'})),
    ]));
}

/** A phone that shows what a device holds: its Notification Center and its Live Activities. */
export function drawCenter(inbox) {
  const bare = (topic) => ({letter: (topic.split('.').findLast((part) => !['app', 'ios'].includes(part)) ?? '?').charAt(0).toUpperCase(), hue: 220, name: topic, icon: null});
  const activities = inbox.liveActivities.filter((one) => one.state !== 'dismissed');
  const isDark = isDarkPage();
  return h('figure', {class: isDark ? 'phone is-dark' : 'phone', 'aria-label': 'What the device holds'}, h('div', {class: 'screen'},
    h('div', {class: 'wallpaper'}), h('div', {class: 'island'}), statusbar({options: {screen: 'center'}, time: new Date(inbox.now)}),
    h('div', {class: 'center-list'},
      h('div', {class: 'center-title'}, 'Notification Center', inbox.badge > 0 && h('span', {class: 'chip is-bad'}, `badge ${inbox.badge}`)),
      activities.map((one) => h('div', {class: 'activity'},
        h('div', {class: 'activity-head'}, tile(bare(one.topic)), h('span', {}, one.attributesType ?? one.topic)),
        h('dl', {}, Object.entries(one.contentState ?? {}).map(([name, value]) => [h('dt', {}, name), h('dd', {}, typeof value === 'string' ? value : JSON.stringify(value))])),
        h('div', {class: 'activity-foot'}, `${one.state}, ${one.updates} updates${one.stale ? ', stale' : ''}`))),
      inbox.center.length === 0 && activities.length === 0 && card('No notifications', 'There is nothing to read.'),
      inbox.center.map((thread) => [
        notification(thread.items[0], bare(thread.topic), Date.parse(inbox.now)),
        Array.from({length: Math.min(thread.items.length - 1, 2)}, () => h('div', {class: 'under'})),
      ])),
    h('div', {class: 'home-bar'})));
}

function notification(item, app, now) {
  return h('div', {class: 'bubble'}, tile(app), h('div', {},
    h('div', {class: 'bubble-head'}, h('span', {class: 'bubble-title', dir: 'auto'}, item.title ?? app.name), h('span', {class: 'bubble-time'}, ago(now - Date.parse(item.deliveredAt)))),
    item.subtitle && h('div', {class: 'bubble-sub', dir: 'auto'}, item.subtitle), item.body && h('div', {class: 'bubble-body', dir: 'auto'}, item.body),
    item.replaces > 0 && h('span', {class: 'bubble-args'}, `replaced ${item.replaces} earlier`)));
}

function home({preview}) {
  const badge = preview.shownBadge;
  return h('div', {class: 'grid-home'},
    h('div', {}, h('div', {class: 'badged'}, tile(preview.app), badge > 0 && h('em', {}, badge)), preview.app.name.slice(0, 11)),
    Array.from({length: 11}, () => h('div', {}, h('span', {class: 'ghost'}))));
}

function watch({preview}) {
  const isOff = !preview.reachesDevice || preview.faded || ['silent', 'nothing', 'system', 'badge', 'request'].includes(preview.kind);
  const element = h('figure', {class: `watch${isOff ? ' is-off' : ''}`, 'aria-label': 'What the watch shows first'},
    h('div', {class: 'watch-screen'}, isOff
      ? [icon('dash'), preview.reachesDevice ? 'Nothing on the wrist' : 'Never reached the device']
      : [tile(preview.app), h('b', {dir: 'auto'}, preview.caller ?? preview.title?.text ?? preview.body?.text ?? preview.app.name), h('span', {}, preview.app.name)]));
  element.style.setProperty('--hue', preview.app.hue);
  return element;
}
