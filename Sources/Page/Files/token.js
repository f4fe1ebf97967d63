// Asks for the admin token, when the server wants one.

import {fill, h} from './dom.js';
import {onTokenWanted, setToken} from './api.js';

let waiting = null;

export function startToken() {
  onTokenWanted((wasWrong) => (waiting ??= ask(wasWrong).finally(() => {
    waiting = null;
  })));
}

function ask(wasWrong) {
  return new Promise((resolve) => {
    const input = h('input', {type: 'password', id: 'admin-token', autocomplete: 'off', required: true, 'aria-describedby': 'admin-token-words'});
    const dialog = h('dialog', {on: {cancel: (event) => event.preventDefault()}});
    fill(dialog, h('form', {
      method: 'dialog',
      on: {
        submit: (event) => {
          event.preventDefault();
          setToken(input.value.trim());
          dialog.remove();
          resolve();
        },
      },
    },
    h('h2', {}, 'This server asks for its admin token'),
    h('p', {id: 'admin-token-words'}, wasWrong ? 'The token was not the right one. ' : '', 'It is the value of ', h('code', {}, '--admin-token'), ' or ', h('code', {}, 'MOCK_APNS_ADMIN_TOKEN'),
      '. The page keeps it until this tab is closed.'),
    h('div', {class: 'field'}, h('label', {for: 'admin-token'}, 'Admin token'), input),
    h('div', {class: 'dialog-actions'}, h('button', {class: 'button is-primary', type: 'submit'}, 'Open'))));
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}
