// What the page knows, and who wants to hear of it.

/** How many requests the list holds. */
export const rowLimit = 500;

export const state = {
  /** The newest first. */
  entries: [],
  selected: null,
  /** Whether the newest request is always the selected one. */
  isFollowing: true,
  isPaused: false,
  /** What came while the list was paused, the oldest first. */
  held: [],
  outcome: '',
  search: '',
  info: null,
  /** The server's clock less this machine's, in milliseconds. */
  clockOffset: 0,
  /** Where the server's clock stands still, in milliseconds; null when it runs. */
  frozenAt: null,
};

const bus = new EventTarget();

/** Tells that something has changed: entries, selection, info, clock, rules, devices, namespaces. */
export function tell(name, detail) {
  bus.dispatchEvent(new CustomEvent(name, {detail}));
}

export function hear(names, listener) {
  for (const name of names.split(' ')) bus.addEventListener(name, (event) => listener(event.detail));
}

/** The server's time in milliseconds. */
export function serverNow() {
  return state.frozenAt ?? Date.now() + state.clockOffset;
}

export function entryOf(id) {
  return state.entries.find((entry) => entry.id === id) ?? null;
}

/** The filters as a query, each with its `&`. */
export function filterQuery() {
  let query = '';
  if (state.outcome) query += `&outcome=${state.outcome}`;
  if (state.search.trim()) query += `&q=${encodeURIComponent(state.search.trim())}`;
  return query;
}
