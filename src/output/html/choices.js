// SPDX-License-Identifier: MIT
/** The bar under the tabs: the kind of weight, what is selected and a way to undo it, search. */
import {percentText, WEIGHT_NAMES} from './amounts.js';
import {element, replace, shortened} from './dom.js';
import {chosenWords, selectionText, spanText, threadName} from './words.js';

const STATES = [['all', 'all states'], ['run', 'running or ready'], ['wait', 'waiting']];

function weightSwitch(app) {
  const buttons = app.head.weights.map(
      (weight) => element(
          'button',
          {type: 'button', role: 'radio', 'data-weight': weight, onclick: () => app.set({weight})},
          WEIGHT_NAMES[weight]));
  const group = element(
      'div', {class: 'segments', role: 'radiogroup', 'aria-label': 'What is counted'}, ...buttons);
  const update = () => buttons.forEach((button) => {
    const chosen = button.dataset.weight === app.state.weight;
    button.setAttribute('aria-checked', String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  });
  group.addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step) return;
    const at = app.head.weights.indexOf(app.state.weight);
    const next = (at + step + buttons.length) % buttons.length;
    app.set({weight: app.head.weights[next]});
    buttons[next].focus();
    event.preventDefault();
  });
  return {group, update};
}

function stateSelect(app) {
  return element(
      'select', {
        'aria-label': 'States of threads',
        id: 'states',
        onchange: (event) => app.set({states: event.target.value})
      },
      ...STATES.map(([value, name]) => element('option', {value}, name)));
}

/** Whether functions are divided by values of theirs; null: none is. */
function divisionBox(app) {
  if (!app.model.division.exists()) return null;
  const box = element('input', {
    type: 'checkbox',
    id: 'divided',
    onchange: (event) => app.set({divided: event.target.checked})
  });
  return element(
      'label', {
        class: 'divided',
        title: 'Functions are divided by the values that --split asked for; without, they are whole'
      },
      box, ' divided by value');
}

/** `marks`: it filters nothing, and looks so. */
function chip(kind, text, title, clear, marks = false) {
  return element(
      'button', {type: 'button', class: marks ? 'chip chip-marks' : 'chip', title, onclick: clear},
      element('span', {class: 'chip-kind'}, `${kind}: `), text,
      element('span', {'aria-hidden': 'true'}, ' ×'));
}

/** What narrows the selection, and the function that is marked, each with a way out. */
function makeChips(app) {
  const {state, model} = app;
  const chips = [];
  if (state.span)
    chips.push(chip(
        'time', spanText(app, state.span), 'Show all of the time', () => app.set({span: null})));
  if (state.threads)
    chips.push(chip(
        state.threads.length === 1 ? 'thread' : 'threads',
        state.threads.length === 1 ? shortened(threadName(app.head, state.threads[0]), 40) :
                                     String(state.threads.length),
        'Show all threads', () => app.set({threads: null})));
  if (state.func !== null)
    chips.push(chip(
        'marked', shortened(model.functionLabel(state.func), 40),
        'This function is marked in all views; it filters nothing. Click to mark none.',
        () => app.set({func: null}), true));
  return chips;
}

function searchWords(app) {
  if (!app.state.search) return '';
  app.matches();
  if (app.searchError) return 'not a regular expression';
  return `${percentText(app.matchedWeight(), app.shownSums().sum)} matches`;
}

/** @param {import('./app.js').App} app */
export function createChoices(app, root) {
  const weights = weightSwitch(app);
  const states = stateSelect(app);
  const divided = divisionBox(app);
  const chips = element('div', {class: 'chips'});
  const share = element('output', {class: 'share', 'for': 'search'});
  const told = element('p', {class: 'told', id: 'selection'});
  const printed = element('p', {class: 'printed'});
  let timer = 0;
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search functions, modules (regular expression)',
    spellcheck: 'false',
    'aria-label': 'Search functions and modules, by a regular expression',
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => app.set({search: search.value}), 120);
    },
  });
  replace(
      root, weights.group, app.head.states?.length > 1 ? states : null, divided,
      element('div', {class: 'find'}, search, share),
      element('div', {class: 'chosen'}, told, chips), printed);
  function update() {
    weights.update();
    states.value = app.state.states;
    if (divided) divided.querySelector('input').checked = app.state.divided;
    if (document.activeElement !== search) search.value = app.state.search;
    replace(chips, ...makeChips(app));
    share.textContent = searchWords(app);
    share.classList.toggle('bad', !!app.searchError);
    told.textContent = selectionText(app);
    printed.textContent = chosenWords(app);
  }
  update();
  return {update};
}
