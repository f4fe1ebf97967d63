// Who is and was connected, and which handshakes failed.

import {fill, h} from './dom.js';
import {curlLine, getJSON} from './api.js';
import {exactTime} from './format.js';
import {panelFrame, table, teach} from './panels.js';

export async function showConnections(panel) {
  const content = panelFrame(panel, 'Connections', 'Every connection to the APNs ports of this server, the newest first, with what its TLS handshake settled and how it ended.');
  const {items, matched, forgotten} = await getJSON('/connections?limit=500', {ofServer: true});
  const rows = [...items].sort((a, b) => Number(b.id.slice(1)) - Number(a.id.slice(1))).map((one) => h('tr', {},
    h('td', {}, h('b', {}, one.id), h('div', {class: 'dim'}, one.peer)),
    h('td', {}, h('span', {class: `chip ${one.failure ? 'is-bad' : one.endedAt ? '' : 'is-good'}`}, one.failure ? one.failure.cause : one.state)),
    h('td', {}, one.protocol ?? '–', h('div', {class: 'dim'}, one.tls ? [one.tls.version, one.tls.alpn, one.tls.serverName].filter(Boolean).join(', ') : 'no TLS')),
    h('td', {class: 'num'}, one.requests), h('td', {class: 'num'}, `${one.streams.opened}${one.streams.open ? ` (${one.streams.open} open)` : ''}`),
    h('td', {}, exactTime(one.openedAt), h('div', {class: 'dim'}, one.failure?.explanation ?? one.end ?? ''), one.goAways.map((goAway) => h('div', {class: 'dim'}, `GOAWAY ${goAway.code} ${goAway.debugData}`))),
    h('td', {}, one.tls?.clientCertificate?.subject ?? '')));
  fill(content, rows.length === 0 ? h('p', {class: 'panel-empty'}, 'Nobody has connected yet.') : table(['Connection', 'State', 'Protocol', '#Requests', '#Streams', 'Opened, and how it ended', 'Client certificate'], rows),
    (matched > items.length || forgotten > 0) && h('p', {class: 'footnote'}, `${matched} are known, ${forgotten} older ones are forgotten.`), teach(() => curlLine('GET', '/connections')));
}
