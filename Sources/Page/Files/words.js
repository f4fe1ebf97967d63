// What a request is called in a line: the title, the line under it, and the remarks.

/** The first values of a content state, for a line. */
function activityWords(payload) {
  const aps = payload?.aps ?? {};
  const values = Object.entries(aps['content-state'] ?? {})
    .filter(([, value]) => value === null || typeof value !== 'object')
    .slice(0, 4).map(([name, value]) => `${name} ${value}`);
  return values.join(', ');
}

/** A text of the alert, or the key of its translation. */
function alertText(entry, name, key) {
  const alert = entry.payload?.aps?.alert;
  if (entry.display?.[name]) return {text: entry.display[name]};
  return alert && typeof alert === 'object' && typeof alert[key] === 'string' ? {text: alert[key], isKey: true} : null;
}

/** Why a request was refused and the fix; a payload has its own words for both in its findings. */
export function refusalWords(entry) {
  if (entry?.broken) return {reason: `The connection broke: ${entry.broken.cause}`, explanation: entry.broken.explanation};
  if (!entry?.rejection) return {};
  const {status, reason, explanation, fix} = entry.rejection;
  const finding = /Payload/.test(reason) && entry.findings?.find((one) => one.severity === 'error');
  return {reason: `${status} ${reason}`, explanation, fix: finding?.fix || fix, short: finding ? finding.message : fix || explanation};
}

/** Title and second line of a request. */
export function lines(entry) {
  if (entry.outcome === 'broken') {
    return {title: `Connection broke: ${entry.broken?.cause ?? 'unknown'}`, text: entry.broken?.explanation ?? ''};
  }
  if (entry.rejection) return {title: entry.rejection.reason, text: refusalWords(entry).short};
  if (entry.outcome === 'faulted') {
    return {title: entry.rule?.outcome ?? 'Answer disturbed', text: `rule ${entry.rule?.id ?? ''}, try ${entry.rule?.attempt ?? 1}`};
  }
  if (entry.kind === 'channels') return {title: `Channels: ${entry.operation ?? 'request'}`, text: entry.channel ?? '', isPlain: true};
  if (entry.pushType === 'liveactivity' || entry.kind === 'broadcast') {
    const aps = entry.payload?.aps ?? {};
    const name = aps['attributes-type'] ?? 'Live Activity';
    return {title: `${name}: ${aps.event ?? 'no event'}`, text: activityWords(entry.payload)};
  }
  if (entry.pushType === 'voip') return {title: 'Incoming call', text: caller(entry.payload)};
  const title = alertText(entry, 'title', 'title-loc-key');
  const body = alertText(entry, 'body', 'loc-key');
  if (entry.pushType && !['alert', 'background'].includes(entry.pushType)) {
    return {title: title?.text ?? `${entry.pushType} push`, text: body?.text ?? 'handled by the system or an extension', isPlain: !title};
  }
  if (entry.display?.silent || entry.pushType === 'background') {
    return {title: 'Silent push', text: 'shows nothing; wakes the app', isPlain: true};
  }
  if (title) return {title: title.text, isKey: title.isKey, text: body?.text ?? ''};
  if (body) return {title: body.text, isKey: body.isKey, text: ''};
  return {title: entry.display?.badge !== null && entry.display?.badge !== undefined ? `Badge ${entry.display.badge}` : 'Nothing to show', text: '', isPlain: true};
}

function caller(payload) {
  for (const name of ['callerName', 'caller_name', 'caller', 'displayName', 'fromName', 'from', 'handle', 'name']) {
    if (typeof payload?.[name] === 'string') return payload[name];
  }
  return '';
}

/** What the status of a request is called in its first column. */
export function statusWord(entry) {
  if (entry.outcome === 'broken') return entry.broken?.cause?.slice(0, 5) ?? 'conn';
  return entry.response?.status ? String(entry.response.status) : '···';
}

/** The remarks in a row: [class, text]. */
export function remarks(entry) {
  const chips = [];
  const seen = new Set();
  for (const finding of entry.findings ?? []) {
    if (seen.has(finding.code)) continue;
    seen.add(finding.code);
    chips.push([finding.severity === 'error' ? 'is-bad' : 'is-warn', finding.code, finding.message]);
  }
  if (entry.rule && entry.outcome !== 'faulted') chips.push(['is-odd', `rule ${entry.rule.id}`]);
  if (entry.outcome === 'accepted') {
    if (entry.display?.thread) chips.push(['', entry.display.thread]);
    if (entry.display?.badge !== null && entry.display?.badge !== undefined) chips.push(['', `badge ${entry.display.badge}`]);
    if (entry.collapseId) chips.push(['', `collapse ${entry.collapseId}`]);
  }
  return chips;
}
