// The admin API: where it is, the token, and calls to it.

const root = new URL('.', location.href.split('#')[0]);
const tokenKey = 'mock-apns-token';

/** The namespace that the page shows. */
export const place = {namespace: 'default'};

/** A refusal of the admin API, in its own words. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail || problem?.title || `The server answers ${status}.`);
    this.status = status;
    this.hint = problem?.hint ?? '';
  }
}

/** Called when the server asks for a token; resolves when there is a new one. */
let askForToken = async () => {};
export function onTokenWanted(ask) {
  askForToken = ask;
}

export function setToken(token) {
  sessionStorage.setItem(tokenKey, token);
}

export function origin() {
  return root.href.replace(/\/$/, '');
}

/** A place on the page, such as `rules`, in the namespace that it shows. */
export function link(path = '') {
  return place.namespace === 'default' ? `#/${path}` : `#/ns/${encodeURIComponent(place.namespace)}/${path}`;
}

/** The address of a path of the namespace, such as `/requests`. */
export function address(path, {ofServer = false} = {}) {
  const space = ofServer || place.namespace === 'default' ? '' : `/ns/${encodeURIComponent(place.namespace)}`;
  return new URL(`v1${space}${path}`, root).href;
}

/** Fetches with the token, and asks for one when it is missing. */
export async function request(path, {method = 'GET', json, accept = 'application/json', signal, ofServer} = {}) {
  for (;;) {
    const headers = {accept};
    const token = sessionStorage.getItem(tokenKey);
    if (token) headers.authorization = `Bearer ${token}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(address(path, {ofServer}), {
      method, headers, signal, cache: 'no-store', body: json === undefined ? undefined : JSON.stringify(json),
    });
    if (response.status === 401) {
      await askForToken(Boolean(token));
      continue;
    }
    if (!response.ok) {
      const problem = await response.json().catch(() => null);
      throw new Refusal(response.status, problem);
    }
    return response;
  }
}

export async function getJSON(path, options) {
  return (await request(path, options)).json();
}

export async function getText(path, options) {
  return (await request(path, {accept: 'text/plain', ...options})).text();
}

export async function send(method, path, json) {
  const response = await request(path, {method, json});
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/** The same call as a line for a shell. */
export function curlLine(method, path, json) {
  const quote = (text) => `'${text.replace(/'/g, `'\\''`)}'`;
  const words = ['curl -sS'];
  if (method !== 'GET') words.push(`-X ${method}`);
  if (json !== undefined) words.push(`-H 'content-type: application/json' -d ${quote(JSON.stringify(json))}`);
  if (sessionStorage.getItem(tokenKey)) words.push('-H "authorization: Bearer $MOCK_APNS_ADMIN_TOKEN"');
  return [...words, quote(address(path))].join(' ');
}
