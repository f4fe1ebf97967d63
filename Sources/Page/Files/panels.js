// What the wide panels share: a head, a table, and the curl line that does the same.

import {copyText, fill, h, icon} from './dom.js';
import {link} from './api.js';

/** The frame of a panel; its content goes into what is returned. */
export function panelFrame(panel, title, lead, ...tools) {
  const content = h('div', {});
  fill(panel, h('div', {class: 'panel-inner'},
    h('div', {class: 'panel-head'}, h('h1', {}, title), h('span', {class: 'grow'}), tools,
      h('a', {class: 'icon-button', href: link(), title: 'Back to the requests (Esc)', 'aria-label': 'Back to the requests'}, icon('cross'))),
    h('p', {class: 'panel-lead'}, lead), content));
  return content;
}

export function table(heads, rows) {
  return h('table', {class: 'panel-table'},
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', {scope: 'col', class: head.startsWith('#') ? 'num' : null}, head.replace(/^#/, ''))))),
    h('tbody', {}, rows));
}

/** The same as a line for a shell, so that the page teaches the API. `line()` is asked when it is shown. */
export function teach(line) {
  const pre = h('pre', {tabindex: 0}, line());
  const element = h('div', {class: 'teach'},
    h('header', {}, 'The same with curl', h('button', {type: 'button', class: 'icon-button', title: 'Copy the line', on: {click: () => copyText(pre.textContent, 'the line')}}, icon('copy'))), pre);
  element.renew = () => {
    pre.textContent = line();
  };
  return element;
}

/** `width` is `wide` for a line of its own, or `half`. */
export function field(label, control, width = '') {
  return h('label', {class: `field ${width && `is-${width}`}`}, h('span', {}, label), control);
}
