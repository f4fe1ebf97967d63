// Light, dark, or as the system says.

import {$, fill, icon} from './dom.js';
import {tell} from './state.js';

const order = ['auto', 'light', 'dark'];
const pictures = {auto: 'auto', light: 'sun', dark: 'moon'};
const words = {auto: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark'};

export function startTheme() {
  let theme = localStorage.getItem('mock-apns-theme') ?? 'auto';
  const button = $('theme');
  const show = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.title = words[theme];
    button.setAttribute('aria-label', words[theme]);
    fill(button, icon(pictures[theme]));
  };
  button.addEventListener('click', () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    localStorage.setItem('mock-apns-theme', theme);
    show();
    tell('theme');
  });
  show();
}
