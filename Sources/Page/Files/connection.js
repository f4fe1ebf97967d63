// The tab about the connection that a request came over.

import {fill, h} from './dom.js';
import {getJSON} from './api.js';
import {exactTime} from './format.js';
import {state} from './state.js';
import {choose} from './list.js';
import {lines} from './words.js';

export async function showConnection(tab, entry, {isCurrent}) {
  const id = entry.connection?.id;
  const record = id ? await getJSON(`/connections/${encodeURIComponent(id)}`, {ofServer: true}).catch(() => null) : null;
  if (!isCurrent()) return;
  const known = entry.connection ?? {};
  const tls = record?.tls ?? (known.tlsVersion ? {version: known.tlsVersion, alpn: known.alpn, serverName: known.serverName} : null);
  const rows = [
    ['Connection', id], record && ['State', record.state], ['From', known.peer], ['To', record ? `${record.listener.address} (${record.listener.kind})` : known.listener],
    ['Environment', entry.environment ?? record?.environment], record && ['Opened', exactTime(record.openedAt)],
    record?.endedAt && ['Ended', `${exactTime(record.endedAt)}. ${record.end ?? ''}`], ['Protocol', record?.protocol],
    ['TLS', tls ? tls.version : 'none'], tls?.cipher && ['Cipher', tls.cipher], tls && ['ALPN', tls.alpn ?? 'none offered'], tls && ['Server name', tls.serverName ?? 'none sent'],
    tls?.clientCertificate && ['Client certificate', tls.clientCertificate.subject],
    ['User agent', known.userAgent], known.stream && ['Stream', known.stream],
    record && ['Requests', `${record.requests}${known.requestsOnConnection ? `, this was number ${known.requestsOnConnection}` : ''}`],
    record && ['Streams', `${record.streams.opened} opened, ${record.streams.open} open`],
    record?.failure && ['Failure', record.failure.explanation],
  ].filter((row) => row && row[1] !== undefined && row[1] !== null);
  const siblings = state.entries.filter((other) => other.connection?.id === id && other.connection?.stream).reverse();
  fill(tab,
    h('section', {class: 'card'}, h('h3', {}, 'Connection'), h('table', {class: 'table'}, h('tbody', {}, rows.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, String(value))))))),
    siblings.length > 1 && h('section', {class: 'card'}, h('h3', {}, 'Its requests, in order'), h('div', {class: 'streams'}, siblings.slice(-200).map((other) => h('button', {
      type: 'button', class: `is-${other.outcome}`, title: `stream ${other.connection.stream}: ${other.response?.status ?? ''} ${lines(other).title}`,
      'aria-current': other.id === entry.id ? 'true' : null, on: {click: () => choose(other.id)},
    })))),
    record?.goAways?.length > 0 && h('section', {class: 'card'}, h('h3', {}, 'GOAWAY'), h('table', {class: 'table'}, h('tbody', {}, record.goAways.map((goAway) => h('tr', {},
      h('th', {scope: 'row'}, exactTime(goAway.at)), h('td', {}, `${goAway.code}, last stream ${goAway.lastStream} ${goAway.debugData}`)))))),
    !record && h('p', {class: 'footnote'}, 'The server has forgotten this connection; what is shown comes from the request.'));
}
