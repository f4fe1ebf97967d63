// Elements without markup: texts become text nodes and nothing else, so that no payload can be more than text.

/** An element; `attributes` may hold `on: {click: …}`, `data: {…}` and `set: {…}` for properties. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'set') Object.assign(element, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Puts children in the place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

export const $ = (id) => document.getElementById(id);

const paths = {
  alert: 'M8 2.2 14.4 13.4H1.6Z M8 6.4v3.2 M8 11.6v.1',
  bell: 'M4 7a4 4 0 0 1 8 0c0 4 1.6 4.6 1.6 4.6H2.4S4 11 4 7Z M6.7 13.8h2.6',
  call: 'M3.2 2.6h2.4l1.2 3-1.6 1.2a8.6 8.6 0 0 0 4 4l1.2-1.6 3 1.2v2.4c0 .6-.5 1-1 1A11.2 11.2 0 0 1 2.2 3.6c0-.5.4-1 1-1Z',
  check: 'M3 8.6 6.4 12 13 4.6',
  chevron: 'M4.5 6.2 8 9.7l3.5-3.5',
  clear: 'M3 4.4h10 M6.2 4.2V2.8h3.6v1.4 M4.4 4.6l.6 8.8h6l.6-8.8',
  copy: 'M5.6 5.6h7.2v7.8H5.6Z M10.4 5.4V2.6H3.2v7.8h2.2',
  cross: 'M4 4l8 8 M12 4l-8 8',
  dash: 'M4 8h8',
  device: 'M4.6 1.8h6.8v12.4H4.6Z M7.2 12.2h1.6',
  help: 'M5.6 6a2.4 2.4 0 1 1 3.2 2.3c-.6.3-.8.7-.8 1.4 M8 12.1v.1',
  moon: 'M13.2 9.6A5.8 5.8 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z',
  auto: 'M8 2.2a5.8 5.8 0 1 0 0 11.6Z M8 2.2a5.8 5.8 0 1 1 0 11.6',
  pause: 'M5.4 3.6v8.8 M10.6 3.6v8.8',
  pen: 'M2.8 13.2l.7-3 7.4-7.4 2.3 2.3-7.4 7.4Z',
  play: 'M5 3.2 12.4 8 5 12.8Z',
  replay: 'M3 8a5 5 0 1 1 1.6 3.7 M2.6 11.8h2.8V9',
  rule: 'M2.6 4h6 M11.4 4h2 M10 2.4v3.2 M2.6 8h2 M7.4 8h6 M6 6.4v3.2 M2.6 12h6 M11.4 12h2 M10 10.4v3.2',
  send: 'M2.4 8 13.6 2.8 10.2 13.4 7.6 9Z M7.6 9l6-6.2',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z M8 1.6v1.2 M8 13.2v1.2 M1.6 8h1.2 M13.2 8h1.2 M3.5 3.5l.8.8 M11.7 11.7l.8.8 M3.5 12.5l.8-.8 M11.7 4.3l.8-.8',
  unreached: 'M4.6 1.8h6.8v12.4H4.6Z M2 2l12 12',
};

/** A picture by its name; it says nothing to screen readers. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name] ?? paths.dash);
  svg.append(path);
  return svg;
}

/** A row of buttons of which one is chosen. */
export function segments(label, choices, chosen, choose) {
  const group = h('div', {class: 'segments', role: 'radiogroup', 'aria-label': label});
  fillSegments(group, choices, chosen, choose);
  return group;
}

export function fillSegments(group, choices, chosen, choose) {
  const buttons = choices.map(([value, text, count], index) => h('button', {
    type: 'button', role: 'radio', 'aria-checked': value === chosen ? 'true' : 'false', tabindex: value === chosen ? 0 : -1,
    data: {value},
    on: {
      click: () => choose(value),
      keydown: (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        event.preventDefault();
        const next = choices[(index + step + choices.length) % choices.length][0];
        choose(next);
        group.querySelector(`[data-value="${CSS.escape(next)}"]`)?.focus();
      },
    },
  }, text, count !== undefined && h('span', {class: 'count'}, count)));
  fill(group, buttons);
}

/** Says something for a moment. */
export function toast(text, isBad = false) {
  const line = h('div', {class: isBad ? 'toast is-bad' : 'toast'}, text);
  $('toasts').append(line);
  setTimeout(() => line.remove(), isBad ? 5000 : 1800);
}

/** Puts a text on the clipboard, also where the page is not a secure context. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', {class: 'visually-hidden', 'aria-hidden': 'true', set: {value: text}});
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast(`Copied ${what}`);
}
