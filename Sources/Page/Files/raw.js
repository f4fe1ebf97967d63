// The tab with the payload as it came: laid out, byte for byte, and how large it is.

import {copyText, fill, h, icon} from './dom.js';
import {getText} from './api.js';
import {bytes, prettyJSON} from './format.js';

export async function showRaw(tab, entry, {isCurrent}) {
  const raw = await getText(`/requests/${entry.id}/raw`);
  if (!isCurrent()) return;
  if (entry.outcome === 'broken') {
    fill(tab, h('section', {class: 'card'}, h('div', {class: 'card-head'}, h('h3', {}, 'First bytes')), h('pre', {class: 'code is-wrapped'}, entry.broken?.firstBytes || 'none')));
    return;
  }
  const body = raw.slice(raw.indexOf('\n\n') + 2);
  const isJSON = entry.payload !== null && entry.payload !== undefined;
  fill(tab, gauge(entry),
    isJSON && piece('Payload', body, h('pre', {class: 'code'}, prettyJSON(body).map(([kind, text]) => (kind ? h('span', {class: kind}, text) : text)))),
    piece('As it arrived', raw, h('pre', {class: 'code is-wrapped'}, hideSignature(raw))));
}

/** What stands on the screen may be photographed: the signature of a token is left out, as everywhere but in `/raw`. */
function hideSignature(text) {
  return text.replace(/^(authorization: bearer [^.\s]+\.[^.\s]+\.)\S+$/im, '$1…');
}

function piece(title, text, content) {
  return h('section', {class: 'card'},
    h('div', {class: 'card-head'}, h('h3', {}, title), h('button', {type: 'button', class: 'icon-button', title: `Copy: ${title.toLowerCase()}`, on: {click: () => copyText(hideSignature(text), title.toLowerCase())}}, icon('copy'))),
    content);
}

export function gauge({payloadBytes, payloadLimit}) {
  if (!payloadLimit) return null;
  const share = payloadBytes / payloadLimit;
  const bar = h('i', {});
  bar.style.setProperty('width', `${Math.min(100, share * 100)}%`);
  return h('section', {class: 'card'}, h('h3', {}, 'Size'), h('div', {class: 'pad'},
    h('div', {class: `gauge${share > 1 ? ' is-bad' : share > 0.9 ? ' is-warn' : ''}`, role: 'img', 'aria-label': `${payloadBytes} of ${payloadLimit} bytes`}, bar),
    h('div', {class: 'gauge-text'}, h('span', {}, bytes(payloadBytes)), h('span', {}, share > 1 ? `${bytes(payloadBytes - payloadLimit)} too many` : `of ${bytes(payloadLimit)}, ${Math.round(share * 100)} %`))));
}
