// Keys. They do nothing while a text is being written or a dialog is open.

import {$, fill, h} from './dom.js';

const table = [
  ['/', 'Search'], ['j k', 'Next and previous request'], ['g', 'Follow the newest request'], ['1 – 5', 'Preview, Explain, Headers, Raw, Connection'],
  ['c', 'Copy as curl'], ['r', 'Send the request again'], ['n', 'Compose a push'], ['p', 'Pause the list'], ['x', 'Clear the requests'], ['Esc', 'Leave a panel or the search'], ['?', 'These keys'],
];

/** `doings` has a function for each key. */
export function startKeyboard(doings) {
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open], .menu')) return;
    const target = event.target;
    const isWriting = target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
    if (event.key === 'Escape') {
      if (isWriting) target.blur();
      else doings.Escape?.();
      return;
    }
    if (isWriting) return;
    const isInList = target === $('list');
    const key = isInList ? {ArrowDown: 'j', ArrowUp: 'k'}[event.key] ?? event.key : event.key;
    const doing = /^[1-5]$/.test(key) ? () => doings.tab(Number(key) - 1) : doings[key];
    if (!doing) return;
    event.preventDefault();
    doing();
  });
}

export function showKeys() {
  const dialog = h('dialog', {'aria-labelledby': 'keys-title', on: {close: () => dialog.remove(), click: (event) => event.target === dialog && dialog.close()}});
  fill(dialog, h('div', {class: 'dialog-body'}, h('h2', {id: 'keys-title'}, 'Keys'),
    h('dl', {class: 'keys-list'}, table.map(([keys, words]) => [h('dt', {}, keys.split(' ').map((key) => (key === '–' ? ' – ' : [h('kbd', {}, key), ' ']))), h('dd', {}, words)])),
    h('p', {class: 'footnote'}, 'The search takes what ', h('code', {}, 'q'), ' of the admin API takes: words, "quoted texts", ', h('code', {}, 'type:alert'), ', ', h('code', {}, 'topic:com.acme.*'), ', ', h('code', {}, 'has:badge'),
      ', ', h('code', {}, 'finding:L006'), ', ', h('code', {}, '!is:rejected'), '. All routes: ', h('a', {href: 'docs', target: '_blank', rel: 'noopener'}, 'admin API'), '.'),
    h('form', {method: 'dialog', class: 'dialog-actions'}, h('button', {class: 'button', autofocus: true}, 'Close'))));
  document.body.append(dialog);
  dialog.showModal();
}
