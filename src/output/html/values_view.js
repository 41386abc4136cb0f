// SPDX-License-Identifier: MIT
/** Variables of frames as lists: of a thread at a time, and of a function. */
import {countText, shareText, timeText, weightText, weightWords} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {chainsWith} from './sandwich.js';
import {bucketsBetween, timeOf} from './time_axis.js';
import {appPieces, chosenTime, once} from './time_data.js';
import {Values, weighValues} from './values.js';
import {threadName} from './words.js';

const VALUES_RUNS = 4;  // chains that are told of one time
const VALUES_EACH = 5;  // values of a variable that a list begins with
const VALUES_NAME = 160;
const VALUES_TEXT = 4000;

/** @returns {Values|null} null: the page has none */
export function appValues(app) {
  if (!app.head.values) return null;
  return once(app, 'values', () => new Values(app.model.payload));
}

/** What is missing of them, or "". */
export function valuesMissing(head) {
  const {every, cut} = head.values;
  if (cut) return 'There were so many values that the page has none, or not those of all the time.';
  return every > 1 ? `There were so many values that the page has one of ${every} changes.` : '';
}

function valueText({text, state}) {
  const shown = shortened(text, VALUES_TEXT);
  return element('span', {class: state === 'known' ? 'value' : 'value value-unknown'}, shown);
}

/** "name = value", its type on demand. */
function variableLine(variable) {
  const {name, type, local} = variable;
  const title = `${local ? 'local variable' : 'parameter'}${type ? `: ${visible(type)}` : ''}`;
  return element(
      'li', {}, element('span', {class: 'value-name', title}, shortened(name, VALUES_NAME)), ' = ',
      valueText(variable));
}

/** The frames of one run, innermost first. */
function frameList(app, values, run) {
  const {model} = app;
  return element('ol', {class: 'value-frames code'}, ...values.framesOf(model, run).map((frame) => {
    const place = visible(model.place(frame.frame));
    return element(
        'li', {},
        element(
            'button',
            {type: 'button', class: 'link code', onclick: () => app.set({func: frame.func})},
            shortened(model.functionLabel(frame.func), VALUES_NAME)),
        place ? element(
                    'span', {class: 'dim', title: place},
                    ` ${place.slice(place.lastIndexOf('/') + 1)}`) :
                null,
        frame.variables.length ? element('ul', {}, ...frame.variables.map(variableLine)) : null);
  }));
}

/** One run, which is made when it is opened. */
function runDetails(app, values, run, open) {
  const {time} = app.head;
  const first = timeText(timeOf(time, values.first[run]));
  const last = timeText(timeOf(time, values.last[run] + 1));
  const details = element(
      'details', {class: 'value-run', open},
      element('summary', {}, `Variables, ${first} to ${last}`));
  const fill = () => {
    if (details.open && details.childElementCount === 1)
      details.append(frameList(app, values, run));
  };
  details.addEventListener('toggle', fill);
  fill();
  return details;
}

/**
 * Of a thread, the chains within a time, in ns, and their variables: the first few; of a time `at`
 * within it the last one that began until then, or what follows.
 * @returns {Node[]} none where the page has no variables
 */
export function variablesWithin(app, thread, [from, to], {open = true, at = null} = {}) {
  const values = appValues(app);
  if (!values) return [];
  const {time} = app.head;
  const [first, end] = bucketsBetween(time, from, to);
  const within = values.runsWithin(thread, first, end - 1);
  const runs = at === null ? within : values.nearest(within, bucketsBetween(time, at, at)[0]);
  const missing = valuesMissing(app.head);
  const parts =
      runs.slice(0, VALUES_RUNS).map((run, i) => runDetails(app, values, run, open && i === 0));
  const more = runs.length - parts.length;
  if (!runs.length)
    parts.push(element('p', {class: 'dim'}, 'No variables are told of it at this time.'));
  if (more > 0)
    parts.push(element('p', {class: 'dim'}, `${countText(more, 'more moment')} in this time.`));
  if (missing) parts.push(element('p', {class: 'dim'}, missing));
  return parts;
}

/** A box with the same below a thread's name; hidden where there are none. */
export class VariablesBox {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.node = element(
        'section',
        {class: 'panel value-box', 'aria-label': 'Variables of the thread', hidden: true});
    this.told = null;
  }

  tell(thread, span, at = null) {
    this.told = [thread, span, at];
    const told = variablesWithin(this.app, thread, span, {at});
    this.node.hidden = !told.length;
    const name = shortened(threadName(this.app.head, thread), VALUES_NAME);
    replace(this.node, element('h2', {}, name), ...told);
  }

  /** Of a time within a piece; -1: it is in none. */
  tellPiece(thread, piece, at) {
    const {begin, end} = appPieces(this.app);
    this.tell(thread, piece < 0 ? [at, at] : [begin[piece], end[piece]], at);
  }

  /** The same, where functions became others. */
  tellAgain() {
    if (this.told) this.tell(...this.told);
  }

  tellChosen() {
    const {threads} = this.app.state;
    if (threads) this.tell(threads[0], chosenTime(this.app));
  }
}

/** Rows of one variable: its most frequent values. */
function variableRows(app, {name, values}, told) {
  const head = element(
      'tr', {},
      element('th', {scope: 'rowgroup', colspan: 3, class: 'code'}, shortened(name, VALUES_NAME)));
  const rows = values.slice(0, VALUES_EACH).map((value) => {
    const share = element('td', {class: 'number sandwich-share'}, shareText(value.weight, told));
    share.style.setProperty('--part', String(value.weight / told));
    return element(
        'tr', {}, element('td', {class: 'number'}, weightText(app.state.weight, value.weight)),
        share, element('td', {class: 'code'}, valueText(value)));
  });
  const rest = values.slice(VALUES_EACH);
  if (rest.length) {
    const weight = rest.reduce((sum, value) => sum + value.weight, 0);
    rows.push(element(
        'tr', {}, element('td', {class: 'number'}, weightText(app.state.weight, weight)),
        element('td', {class: 'number'}, shareText(weight, told)),
        element('td', {class: 'dim'}, `${countText(rest.length, 'other value')}`)));
  }
  return element('tbody', {class: 'value-of'}, head, ...rows);
}

/** Which values the variables of a function had in what is selected; null: none are told. */
export function valuesHere(app, func) {
  const values = appValues(app);
  if (!values) return null;
  const {model} = app;
  const {told, variables} =
      weighValues(values, model, func, app.selection(), chainsWith(model, func));
  if (!variables.length) return null;
  return element(
      'section', {class: 'sandwich-part'},
      element(
          'table', {class: 'sandwich-list value-table'}, element('caption', {}, 'Values here'),
          ...variables.map((variable) => variableRows(app, variable, told))),
      element(
          'p', {class: 'dim'},
          `Of ${weightWords(app.state.weight, told)} that variables are told of; those of a step ` +
              `of time are the first sample’s. ${valuesMissing(app.head)}`));
}
