// The tab that says why: the answer, the fix, and every check in Apple's order.

import {fill, h, icon} from './dom.js';
import {address, getJSON} from './api.js';
import {refusalWords} from './words.js';

const names = {
  'method': 'Method', 'path': 'Path', 'certificate': 'Client certificate', 'certificate.environment': 'Certificate is for this environment',
  'authorization.present': 'Provider token is there', 'jwt.form': 'Token is well formed', 'jwt.key': 'Key is known', 'jwt.signature': 'Signature',
  'jwt.team': 'Team', 'jwt.environment': 'Key is for this environment', 'jwt.relatedKey': 'Key belongs to the connection\u2019s team', 'jwt.age': 'Token is young enough',
  'jwt.refresh': 'Token is not renewed too often', 'headers.duplicate': 'No header twice', 'device.present': 'Device token is there', 'payload.present': 'Payload is there',
  'payload.size': 'Payload size', 'payload': 'Payload', 'device': 'Device token', 'topic.present': 'Topic is there', 'topic.form': 'Topic is well formed',
  'topic.allowed': 'Sender may use the topic', 'topic.pushType': 'Topic fits the push type', 'device.topic': 'Device token is for the topic',
  'device.active': 'Device token is active', 'device.rate': 'Not too many to the device', 'service': 'Service', 'script': 'Scripted rule', 'payload.keys': 'Keys of the payload',
};

export async function showExplanation(tab, entry, {isCurrent}) {
  const preview = entry.outcome === 'accepted' ? await getJSON(`/requests/${entry.id}/preview`).catch(() => null) : null;
  if (!isCurrent()) return;
  fill(tab, verdict(entry, preview), rule(entry), findings(entry), checks(entry));
}

function verdict(entry, preview) {
  if (entry.rejection) {
    const {status, reason, explanation, alsoWouldFail} = entry.rejection;
    const {fix} = refusalWords(entry);
    return h('section', {class: 'verdict is-rejected'},
      h('h3', {}, `${status} ${reason}`), h('p', {}, explanation),
      fix && h('p', {class: 'fix'}, icon('check'), h('span', {}, fix)),
      alsoWouldFail?.length > 0 && h('p', {}, 'Without this it would fail with ', h('b', {}, alsoWouldFail.join(', ')), '.'),
      h('p', {class: 'links'}, h('a', {href: address('/reasons', {ofServer: true}), target: '_blank', rel: 'noopener'}, 'All reasons')));
  }
  if (entry.outcome === 'broken') {
    return h('section', {class: 'verdict is-broken'}, h('h3', {}, `The connection broke: ${entry.broken?.cause ?? ''}`), h('p', {}, entry.broken?.explanation ?? ''));
  }
  if (entry.outcome === 'faulted') {
    return h('section', {class: 'verdict is-faulted'}, h('h3', {}, 'A rule disturbed the exchange'),
      h('p', {}, `${entry.rule?.outcome ?? 'The answer was not the one that APNs gives'}. The sender never learned what became of the push.`));
  }
  return h('section', {class: 'verdict is-accepted'}, h('h3', {}, 'Accepted: every check passed'),
    preview && h('p', {}, preview.note), preview?.fate && h('p', {}, preview.fate.charAt(0).toUpperCase() + preview.fate.slice(1), '.'),
    entry.expiration?.meaning && h('p', {}, `apns-expiration: ${entry.expiration.meaning}.`));
}

function rule(entry) {
  if (!entry.rule) return null;
  const {id, attempt, draw, outcome, delayMs} = entry.rule;
  const rows = [['Rule', id], ['Try', attempt], draw !== undefined && ['Draw', draw], outcome && ['Outcome', outcome], delayMs && ['Held back', `${delayMs} ms`]].filter(Boolean);
  return h('section', {class: 'card'}, h('h3', {}, 'Scripted rule'), h('table', {class: 'table'}, h('tbody', {}, rows.map(([name, value]) => h('tr', {}, h('th', {scope: 'row'}, name), h('td', {}, value))))));
}

function findings(entry) {
  if (!entry.findings?.length) return null;
  return h('section', {class: 'card'}, h('h3', {}, entry.findings.length === 1 ? '1 finding' : `${entry.findings.length} findings`),
    entry.findings.map((finding) => h('div', {class: 'finding'},
      h('p', {}, h('span', {class: `chip ${finding.severity === 'error' ? 'is-bad' : 'is-warn'}`, title: finding.severity}, finding.code), ' ', finding.message),
      h('p', {class: 'fix-line'}, finding.fix))));
}

function checks(entry) {
  const list = entry.rejection?.checks;
  if (!list) return null;
  const passed = list.filter((check) => check.ok === true).length;
  const unmade = list.filter((check) => check.ok === null).length;
  const ordered = h('ol', {class: 'checks'}, list.map((check) => line(check)));
  const summary = `${passed} passed${unmade ? `, ${unmade} not made` : ''}`;
  const isShort = list.length > 14;
  if (isShort) ordered.classList.add('is-short');
  const more = isShort && h('button', {
    type: 'button', class: 'checks-more', 'aria-expanded': 'false',
    on: {
      click: (event) => {
        const short = ordered.classList.toggle('is-short');
        event.target.textContent = short ? `Show all ${list.length} checks in order (${summary})` : 'Show the failed ones only';
        event.target.setAttribute('aria-expanded', String(!short));
      },
    },
  }, `Show all ${list.length} checks in order (${summary})`);
  return h('section', {class: 'card'}, h('h3', {}, 'Checks, in Apple\u2019s order'), ordered, more && h('div', {class: 'pad-end'}, more));
}

function line(check) {
  const isAlso = check.ok === false && check.note?.startsWith('would also fail');
  const kind = check.ok === true ? 'passed' : check.ok === null ? 'unmade' : isAlso ? 'also' : 'failed';
  const word = {passed: '', unmade: check.note, also: 'would also fail', failed: 'failed'}[kind];
  const details = check.ok === false && h('div', {class: 'more'},
    h('dl', {}, check.expected && [h('dt', {}, 'expected'), h('dd', {}, check.expected)], check.actual && [h('dt', {}, 'found'), h('dd', {}, check.actual)]),
    isAlso && h('p', {class: 'note'}, check.note.replace(/^would also fail: /, '')));
  return h('li', {class: `check is-${kind}`},
    h('span', {class: 'mark'}, icon(kind === 'passed' ? 'check' : kind === 'unmade' ? 'dash' : 'cross')),
    h('span', {title: check.check}, names[check.check] ?? check.check), h('span', {class: 'note'}, word), details);
}
