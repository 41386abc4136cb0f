// SPDX-License-Identifier: MIT
/** The keys of the page, in a dialog. */
import {element, replace} from './dom.js';

/** @type {[string, [string, string][]][]} */
const HELP_KEYS = [
  [
    'Everywhere',
    [
      ['1 … 9', 'go to a view'], ['/', 'search functions and modules'],
      ['Esc', 'zoom out all the way in the flame graph; else select nothing'], ['?', 'these keys'],
      ['Alt ←', 'what was looked at before (the browser’s Back)']
    ]
  ],
  [
    'Flame graph',
    [
      ['← → ↑ ↓', 'go from frame to frame'], ['Enter', 'zoom into the frame'],
      ['Backspace', 'zoom out by one'], ['Home', 'go to the root'], ['i', 'invert']
    ]
  ],
  ['Table', [['↑ ↓ PgUp PgDn', 'go from row to row'], ['Enter', 'select the function']]],
  [
    'Call graph',
    [
      ['Tab', 'go from box to box'], ['Enter', 'select the function'], ['+ −', 'zoom'],
      ['← → ↑ ↓', 'move the picture'], ['0', 'show all of it']
    ]
  ],
  [
    'Timeline',
    [
      ['← →', 'go from piece to piece'], ['↑ ↓', 'go from thread to thread'],
      ['Enter', 'choose its thread and time'], ['Space', 'choose the thread'], ['+ −', 'zoom'],
      ['z', 'zoom to the chosen time'], ['0', 'show all of the time']
    ]
  ],
  [
    'Threads',
    [
      ['↑ ↓', 'go from row to row'], ['Enter, Space', 'choose it'],
      ['← →', 'close and open what is below it']
    ]
  ],
];

/** @returns {{open: () => void, isOpen: () => boolean}} */
export function createHelp() {
  const close =
      element('button', {type: 'button', class: 'button', onclick: () => dialog.close()}, 'Close');
  const lists = HELP_KEYS.map(
      ([title, keys]) => element(
          'section', {}, element('h3', {}, title),
          element(
              'dl', {class: 'keys'},
              ...keys.flatMap(
                  ([
                    key, does
                  ]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, does)]))));
  const dialog = /** @type {HTMLDialogElement} */ (element(
      'dialog', {
        class: 'help',
        'aria-labelledby': 'help-title',
        onclick: (event) => event.target === dialog && dialog.close()
      },
      element(
          'div', {class: 'help-inside'},
          element('div', {class: 'help-head'}, element('h2', {id: 'help-title'}, 'Keys'), close),
          element('div', {class: 'help-keys'}, ...lists))));
  document.body.append(dialog);
  const button = document.getElementById('help');
  replace(button, '?');
  button.addEventListener('click', () => dialog.showModal());
  return {open: () => dialog.showModal(), isOpen: () => dialog.open};
}
