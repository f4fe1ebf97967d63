// What the sender does over time, which no single answer can tell.

import {fill, h} from './dom.js';
import {address, curlLine, getJSON, link} from './api.js';
import {duration} from './format.js';
import {panelFrame, table, teach} from './panels.js';

export async function showReport(panel) {
  const content = panelFrame(panel, 'Report', 'How the sender behaves: findings in its pushes and in its conduct, tokens, connections, and the slowest answers.',
    h('a', {class: 'button', href: address('/report?format=md'), target: '_blank', rel: 'noopener'}, 'Markdown'));
  const report = await getJSON('/report');
  const {totals, connections, tokens} = report;
  const figure = (value, words) => h('div', {class: 'figure'}, h('b', {}, String(value)), h('span', {}, words));
  fill(content,
    h('div', {class: 'figures'}, figure(totals.accepted, 'accepted'), figure(totals.rejected, 'refused'), figure(totals.faulted, 'disturbed by rules'), figure(totals.broken, 'broken connections'),
      figure(connections.opened, 'connections'), figure(connections.handshakesFailed, 'handshakes failed'), figure(tokens.issued, 'provider tokens'), figure(tokens.oldestMs === null || tokens.oldestMs === undefined ? '–' : duration(tokens.oldestMs), 'oldest token')),
    report.findings.length === 0 ? h('p', {class: 'panel-empty'}, 'No findings: nothing about the sender is remarkable.') : table(['Code', 'What was found', 'What to do', '#Times', 'Example'], report.findings.map((finding) => h('tr', {},
      h('td', {}, h('span', {class: `chip ${finding.severity === 'error' ? 'is-bad' : 'is-warn'}`, title: finding.severity}, finding.code)),
      h('td', {}, finding.examples[0]?.message ?? finding.expected), h('td', {}, finding.fix), h('td', {class: 'num'}, finding.count),
      h('td', {}, finding.examples.slice(0, 3).map((example) => [h('a', {href: link(example.id)}, `#${example.seq}`), ' ']))))),
    report.slowest.length > 0 && [h('h3', {class: 'section-title'}, 'Slowest answers'), h('p', {}, report.slowest.map(({id, seq, afterMs}) => h('span', {class: 'chip'}, h('a', {href: link(id)}, `#${seq}`), ` ${afterMs} ms`)))],
    teach(() => curlLine('GET', '/report')));
}
