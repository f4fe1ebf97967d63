// The tab that shows what the phone shows.

import {fill, fillSegments, h, icon, segments} from './dom.js';
import {getJSON} from './api.js';
import {exactTime} from './format.js';
import {drawScreen} from './phone.js';
import {tile} from './parts.js';
import {tell} from './state.js';
import {refusalWords} from './words.js';

const options = {screen: 'lock', theme: 'auto', size: '1', locale: '', ...JSON.parse(localStorage.getItem('mock-apns-phone') ?? '{}')};
const screens = [['lock', 'Lock'], ['banner', 'Banner'], ['center', 'Center'], ['watch', 'Watch']];
const locales = [['', 'Locale'], ['en-US', 'en-US'], ['en-GB', 'en-GB'], ['de-DE', 'de-DE'], ['fr-FR', 'fr-FR'], ['ja-JP', 'ja-JP'], ['ar-EG', 'ar-EG']];

export async function showPreview(tab, entry, {isNew, isCurrent}) {
  const preview = await getJSON(`/requests/${entry.id}/preview`);
  let inbox = null;
  const loadInbox = async () => {
    if (inbox || !entry.device || options.screen !== 'center' || !preview.reachesDevice) return;
    inbox = await getJSON(`/devices/${encodeURIComponent(entry.device.toLowerCase())}/inbox?through=${entry.seq}`).catch(() => null);
  };
  await loadInbox();
  if (!isCurrent()) return;
  const stage = h('div', {class: 'stage'});
  const draw = (isLit) => fill(stage, drawScreen(preview, entry, options, {inbox, isLit}), beside(preview, entry));
  const change = async (name, value) => {
    options[name] = value;
    localStorage.setItem('mock-apns-phone', JSON.stringify(options));
    fillSegments(screenPicker, screens, options.screen, (choice) => change('screen', choice));
    await loadInbox();
    draw(false);
  };
  const screenPicker = segments('Screen', screens, options.screen, (value) => change('screen', value));
  const select = (label, name, choices) => h('select', {'aria-label': label, title: label, on: {change: (event) => change(name, event.target.value)}},
    choices.map(([value, text]) => h('option', {value, set: {selected: options[name] === value}}, text)));
  fill(tab,
    h('div', {class: 'stage-tools'}, screenPicker,
      h('div', {},
        select('Appearance of the phone', 'theme', [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']]),
        select('Text size on the phone', 'size', [['0.88', 'A\u2212'], ['1', 'A'], ['1.18', 'A+'], ['1.4', 'A++']]),
        select('Language of dates and times on the phone', 'locale', locales))),
    stage,
    h('p', {class: 'footnote'}, 'An approximation, not Apple\u2019s renderer. For the real one, copy the .apns file and push it with ', h('code', {}, 'xcrun simctl push'), '.'));
  draw(isNew && preview.reachesDevice && !preview.faded);
}

/** What stands beside the picture: what the device does with it, and what cannot be drawn. */
export function beside(preview, entry) {
  const sound = preview.sound;
  const facts = [
    ['Sound', sound ? `${sound.name}${sound.critical ? ` (critical${sound.volume !== null ? `, volume ${Math.round(sound.volume * 100)} %` : ''})` : ''}` : 'silent'],
    ['Level', preview.interruptionLevel],
    preview.thread && ['Thread', preview.thread],
    preview.collapseId && ['Collapse id', preview.collapseId],
    entry?.priority && ['Priority', entry.priority],
    preview.activity?.staleAt && ['Stale', `${exactTime(preview.activity.staleAt)}${preview.activity.stale ? ' (now)' : ''}`],
    preview.activity?.dismissedAt && ['Dismissed', `${exactTime(preview.activity.dismissedAt)}${preview.activity.dismissed ? ' (over)' : ''}`],
  ].filter(Boolean);
  const isSilent = ['silent', 'nothing', 'system', 'request', 'call'].includes(preview.kind);
  return h('div', {class: 'beside'},
    preview.reachesDevice ? preview.fate && h('p', {class: 'fate'}, capital(preview.fate), '.') : refusal(preview, entry),
    preview.reachesDevice && h('p', {class: 'note'}, preview.note),
    preview.chips.length > 0 && h('div', {class: 'chips'}, preview.chips.map((chip) => h('span', {class: 'chip is-accent', title: chip.name}, chip.text))),
    preview.reachesDevice && h('div', {}, h('h4', {}, 'Home Screen'), homeIcon(preview)),
    !isSilent && preview.reachesDevice && h('div', {}, h('h4', {}, 'Details'), h('dl', {}, facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))),
    missing(preview),
    preview.links.length > 0 && h('div', {}, h('h4', {}, 'Links for the extension, not loaded'), h('ul', {class: 'links-list'}, preview.links.map((link) => h('li', {}, link)))));
}

/** Why a push never reached its device, and what to do. */
function refusal(preview, entry) {
  const {reason, explanation, fix} = refusalWords(entry);
  return h('div', {class: 'why'},
    h('p', {class: 'fate is-bad'}, h('b', {}, reason ?? 'Not delivered'), h('br'), explanation ?? `${capital(preview.fate ?? preview.note)}.`),
    fix && h('p', {class: 'fix'}, icon('check'), h('span', {}, fix)),
    (entry?.rejection || entry?.broken) && h('p', {}, h('button', {type: 'button', class: 'checks-more', on: {click: () => tell('tab', 1)}}, 'Every check, in order')));
}

function homeIcon(preview) {
  const badge = preview.shownBadge;
  const words = preview.badge === null ? (badge ? 'badge unchanged' : 'no badge set') : preview.badge === 0 ? 'badge cleared' : `badge ${preview.badge}`;
  return h('div', {class: 'home-icon'},
    h('div', {class: 'badged'}, tile(preview.app), badge > 0 && h('em', {}, badge > 9999 ? '9999+' : badge)),
    h('div', {}, h('b', {title: preview.app.bundleId}, preview.app.name), words));
}

function missing(preview) {
  const texts = [preview.title, preview.subtitle, preview.body].filter((text) => text?.missing);
  return texts.length > 0 && h('p', {class: 'fate'}, icon('alert'), ' No translation of ', texts.map((text, index) => [index > 0 && ', ', h('code', {}, text.key)]),
    ' is known. Name the app\u2019s ', h('code', {}, '.strings'), ' file under ', h('code', {}, 'apps'), ' in the configuration file.');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
