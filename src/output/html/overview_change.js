// SPDX-License-Identifier: MIT
/** What the overview says of a comparison: both sides, and whose share changed most. */
import {deltaText, shareText, timeText, WEIGHT_NAMES, weightText} from './amounts.js';
import {element, shortened, visible} from './dom.js';
import {changeOf} from './model.js';

const CHANGES_SHOWN = 12;
const CHANGED_NAME = 44;

/** "44.1 of 99.0 Hz", or "". */
export function rateText({asked_hz: asked, reached_hz: reached}) {
  return asked ? `${reached?.toFixed(1) ?? '?'} of ${asked.toFixed(1)} Hz` : '';
}

/** "3 (buffer full), 1 (timeout)", or "". */
export function lostText({lost = {}}) {
  return Object.entries(lost).map(([reason, count]) => `${count} (${reason})`).join(', ');
}

/** What both sides are, one below the other. @returns {[string, string, string][]} */
export function sideRows(app) {
  const {head} = app;
  const {weight} = app.state;
  const lengthText = (ns) => (ns > 0 ? timeText(ns) : '');
  const now = head.quality ?? {};
  const base = head.base ?? {};
  const inputs = (isBase) => (head.captures ?? [])
                                 .filter((capture) => !!capture.base === isBase)
                                 .map(({name}) => visible(name ?? ''));
  const names = (isBase) => shortened([...new Set(inputs(isBase))].join(', '), CHANGED_NAME);
  const total = (totals) => weightText(weight, totals?.[weight] ?? 0);
  /** @type {[string, string, string][]} */
  const rows = [
    ['Inputs', names(false), names(true)],
    ['Length', lengthText(head.duration_ns), lengthText(base.duration_ns)],
    ['Rate', rateText(now), rateText(base)],
    ['Samples', String(head.totals.samples ?? ''), String(head.base_totals?.samples ?? '')],
    ['Lost', lostText(now), lostText(base)],
  ];
  if (weight !== 'samples')
    rows.push([
      WEIGHT_NAMES[weight].replace(/^./, (c) => c.toUpperCase()), total(head.totals),
      total(head.base_totals)
    ]);
  return rows.filter(([, a, b]) => a || b);
}

/**
 * Functions by how much their share changed, the most first; those that two captures of one program
 * may differ by are left out.
 * @returns {{func: number, points: number}[]}
 */
export function greatestChanges(model, now, base, matches) {
  return Array.from({length: model.functionCount}, (_, func) => func)
      .filter((func) => !matches || matches[func])
      .map(
          (func) =>
              ({func, ...changeOf(now.functionSelf[func], now, base.functionSelf[func], base)}))
      .filter(({points, noise}) => points !== 0 && !noise)
      .sort((a, b) => Math.abs(b.points) - Math.abs(a.points) || a.func - b.func);
}

function tableOf(heads, rows) {
  const cell = (name, text, i) => element(name, {class: i ? 'number' : null}, text);
  return element(
      'div', {class: 'scroll'},
      element(
          'table', {},
          element('thead', {}, element('tr', {}, ...heads.map((text, i) => cell('th', text, i)))),
          element(
              'tbody', {},
              ...rows.map(
                  (row) => element('tr', {}, ...row.map((text, i) => cell('td', text, i)))))));
}

function changeRow(app, {func, points}) {
  const {model} = app;
  const [now, base] = [app.sums(), app.baseSums()];
  const link = element(
      'button', {
        type: 'button',
        class: 'link code',
        title: visible(model.functionLabel(func)).slice(0, 2000),
        onclick: () =>
            app.set({func, view: 'table', sort: points > 0 ? 'selfchange' : '-selfchange'})
      },
      shortened(model.functionLabel(func), CHANGED_NAME));
  return [
    link, shareText(now.functionSelf[func], now.sum), shareText(base.functionSelf[func], base.sum),
    element('span', {class: points > 0 ? 'table-more' : 'table-less'}, deltaText(points))
  ];
}

/** @returns {HTMLElement[]|null} null: nothing is compared */
export function overviewChange(app) {
  const base = app.baseSums();
  if (!base) return null;
  const changes = greatestChanges(app.model, app.sums(), base, app.matches());
  const left = changes.length - CHANGES_SHOWN;
  const kind = WEIGHT_NAMES[app.state.weight];
  return [
    tableOf(['', 'Now', 'Baseline'], sideRows(app)),
    element(
        'p', {},
        changes.length ?
            `Functions whose own share of the ${kind} changed most, in percentage points:` :
            `No function's own share of the ${kind} changed by more than two captures of one ` +
                'program may differ by.'),
    changes.length ? tableOf(
                         ['Function', 'Now', 'Baseline', 'Change'],
                         changes.slice(0, CHANGES_SHOWN).map((change) => changeRow(app, change))) :
                     null,
    left > 0 ? element('p', {class: 'dim'}, `and ${left} more: see the table of functions`) : null,
  ].filter(Boolean);
}
