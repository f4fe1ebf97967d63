// The tab with the header fields of request and answer, and the provider token as it ages.

import {fill, h} from './dom.js';
import {decodeToken, duration} from './format.js';
import {serverNow} from './state.js';

const hour = 3_600_000;
/** The bar ends behind the hour, so that a token that is too old has a place. */
const barEnd = 70 * 60_000;

export function showHeaders(tab, entry, {isCurrent}) {
  const fields = entry.headers ?? [];
  const authorization = fields.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  fill(tab,
    token(entry, authorization, isCurrent),
    h('section', {class: 'card'}, h('h3', {}, 'Request'), fields.length
      ? table(fields) : h('p', {class: 'pad'}, 'There was no request.')),
    entry.outcome !== 'broken' && h('section', {class: 'card'}, h('h3', {}, 'Answer'), table([
      [':status', entry.response?.status ?? 'none'],
      entry.apnsId && ['apns-id', entry.apnsId], entry.apnsUniqueId && ['apns-unique-id', entry.apnsUniqueId],
      entry.response?.reason && ['reason', entry.response.reason],
      entry.rejection?.timestamp && ['timestamp', entry.rejection.timestamp],
    ].filter(Boolean))));
}

function table(rows) {
  return h('table', {class: 'table is-fields'}, h('tbody', {}, rows.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {class: 'mono'}, value)))));
}

function token(entry, field, isCurrent) {
  const decoded = field && decodeToken(field);
  if (!decoded) {
    return entry.auth?.method === 'certificate'
      ? h('section', {class: 'card'}, h('h3', {}, 'Client certificate'), h('div', {class: 'pad'}, entry.auth.subject ?? '')) : null;
  }
  const issued = Number(decoded.claims?.iat) * 1000;
  const words = h('b', {});
  const mark = h('i', {});
  const bar = h('div', {class: 'age', role: 'img'}, mark, words, stop(20, '20 min: may renew'), stop(60, '60 min: expires'));
  const update = () => {
    if (!Number.isFinite(issued)) return;
    const age = serverNow() - issued;
    const place = `${Math.min(98, Math.max(1, (age / barEnd) * 100))}%`;
    mark.style.setProperty('left', place);
    words.style.setProperty('left', `${Math.min(84, Math.max(16, (age / barEnd) * 100))}%`);
    words.textContent = `${duration(age)} old${age > hour ? ', expired' : age < 0 ? ' (from the future)' : ''}`;
    bar.setAttribute('aria-label', `The token is ${words.textContent}`);
  };
  update();
  const timer = setInterval(() => {
    if (isCurrent() && bar.isConnected) update();
    else clearInterval(timer);
  }, 1000);
  const atArrival = entry.auth?.tokenAgeMs;
  return h('section', {class: 'card'}, h('h3', {}, 'Provider token'),
    h('div', {class: 'pad'}, Number.isFinite(issued) && bar),
    h('table', {class: 'table is-fields'}, h('tbody', {}, [
      ['alg', decoded.header?.alg], ['kid', decoded.header?.kid], ['iss', decoded.claims?.iss], ['iat', Number.isFinite(issued) ? `${decoded.claims.iat}  (${new Date(issued).toISOString().slice(0, 19)}Z)` : decoded.claims?.iat],
      ['signature', entry.auth?.signature ?? 'not checked'], atArrival !== undefined && atArrival !== null && ['age at arrival', duration(atArrival)],
    ].filter((row) => row && row[1] !== undefined).map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {class: 'mono'}, String(value)))))));
}

function stop(minutes, text) {
  const label = h('span', {}, text);
  label.style.setProperty('left', `${(minutes * 60_000 / barEnd) * 100}%`);
  return label;
}
