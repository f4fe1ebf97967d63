// Small parts of pictures.

import {h} from './dom.js';

/** The icon of an app, or a tile with its letter. */
export function tile(app) {
  const element = h('div', {class: 'tile', 'aria-hidden': 'true'}, app.icon ? h('img', {src: app.icon, alt: ''}) : app.letter);
  element.style.setProperty('--hue', app.hue);
  return element;
}
