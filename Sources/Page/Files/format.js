// Times, tokens and sizes in the words of the page.

/** "2 s", "4 min", "3 h", "12 d". */
export function ago(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** "61 min 04 s". */
export function duration(milliseconds) {
  const total = Math.round(Math.abs(milliseconds) / 1000);
  const two = (number) => String(number).padStart(2, '0');
  if (total < 60) return `${total} s`;
  if (total < 6000) return `${Math.floor(total / 60)} min ${two(total % 60)} s`;
  if (total < 172800) return `${Math.floor(total / 3600)} h ${two(Math.floor(total / 60) % 60)} min`;
  return `${Math.floor(total / 86400)} d ${two(Math.floor(total / 3600) % 24)} h`;
}

/** The first and last digits of a token. */
export function shortToken(token) {
  return token && token.length > 12 ? `${token.slice(0, 6)}…${token.slice(-4)}` : token ?? '';
}

export function clockTime(date) {
  return date.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false});
}

export function exactTime(text) {
  if (!text) return '';
  const date = new Date(text);
  return `${date.toLocaleDateString([], {day: 'numeric', month: 'short'})} ${clockTime(date)}.${text.slice(20, 23)}`;
}

export function bytes(count) {
  return `${count.toLocaleString('en').replace(/,/g, ' ')} B`;
}

/** A word of the search for a key and a value. */
export function searchWord(key, value) {
  return /[\s":!]/.test(value) ? `${key}:"${value}"` : `${key}:${value}`;
}

/** The claims of a provider token, for people; nothing is checked. */
export function decodeToken(field) {
  const parts = (field ?? '').replace(/^bearer\s+/i, '').split('.');
  const decode = (part) => {
    try {
      const text = atob(part.replace(/-/g, '+').replace(/_/g, '/'));
      return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
    } catch {
      return null;
    }
  };
  return parts.length < 2 ? null : {header: decode(parts[0]), claims: decode(parts[1])};
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON without what is between its words; any other text as it is. */
export function minifyJSON(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return text.match(tokens)?.join('') ?? text;
}

/** JSON laid out anew, piece by piece as [class, text]: numbers and texts stay as they were written. */
export function prettyJSON(text) {
  const pieces = [];
  let depth = 0;
  let isFresh = false;
  const line = () => pieces.push(['', `\n${'  '.repeat(depth)}`]);
  for (const match of text.matchAll(tokens)) {
    const word = match[0];
    const rest = text.slice(match.index + word.length).match(/^\s*(.)/)?.[1];
    if (word === '{' || word === '[') {
      if (isFresh) line();
      pieces.push(['p', word]);
      depth += 1;
      isFresh = true;
      continue;
    }
    if (word === '}' || word === ']') {
      depth = Math.max(0, depth - 1);
      if (!isFresh) line();
      pieces.push(['p', word]);
    } else if (word === ',') {
      pieces.push(['p', ',']);
      line();
    } else if (word === ':') {
      pieces.push(['p', ': ']);
    } else {
      if (isFresh) line();
      pieces.push([word[0] === '"' ? (rest === ':' ? 'k' : 's') : /^[-\d]/.test(word) ? 'n' : 'l', word]);
    }
    isFresh = false;
  }
  return pieces;
}
