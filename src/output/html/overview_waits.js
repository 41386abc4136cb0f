// SPDX-License-Identifier: MIT
/** What the overview says of waits: deadlocks, and the locks that cost most time. */
import {countText, percentText, timeText} from './amounts.js';
import {element} from './dom.js';
import {holderText, thingText, waitsNumber} from './piece_words.js';
import {LOCK_STATE} from './pieces.js';
import {appPieces, appWaited, appWaits, waitSelection} from './time_data.js';

const LOCKS_SHOWN = 5;

function viewLink(app, parts, text) {
  return element(
      'button', {type: 'button', class: 'link', onclick: () => app.set({view: 'waits', ...parts})},
      text);
}

/** "janitor (7), 92 % of it": who held a lock longest while others waited, or "". */
function holderWords(app, waited) {
  const waits = appWaits(app);
  const holders = waits.holders(waited.episodes ??= waits.episodes(waited));
  const all = holders.reduce((sum, {ns}) => sum + ns, 0);
  return holders.length ?
      `${holderText(app.head, holders[0].holder)}, ${percentText(holders[0].ns, all)}` :
      '';
}

function lockRow(app, waited) {
  const number = (text) => element('td', {class: 'number'}, text);
  return element(
      'tr', {},
      element('td', {}, viewLink(app, {object: waited.thing}, thingText(app.head, waited))),
      number(timeText(waited.ns)), number(waitsNumber(waited)), number(String(waited.threadCount)),
      element('td', {}, holderWords(app, waited)));
}

function lockTable(app, locks) {
  const head = (text, isNumber) => element('th', {class: isNumber ? 'number' : null}, text);
  return element(
      'div', {class: 'scroll'},
      element(
          'table', {},
          element(
              'thead', {},
              element(
                  'tr', {}, head('Lock', false), head('Time lost', true), head('Waits', true),
                  head('Threads', true), head('Held longest by', false))),
          element(
              'tbody', {}, ...locks.slice(0, LOCKS_SHOWN).map((waited) => lockRow(app, waited)))));
}

/** @returns {HTMLElement[]|null} null: the page knows nothing of waits */
export function overviewWaits(app) {
  const {head} = app;
  const deadlocks = head.deadlocks?.length ?? 0;
  if (!deadlocks && !head.waits?.length) return null;
  const parts = [];
  if (deadlocks)
    parts.push(element(
        'p', {class: 'bad'}, viewLink(app, {}, countText(deadlocks, 'deadlock')),
        ': threads that wait for each other.'));
  if (head.time && head.columns['thread.pieces']) {
    const locks = appWaited(app).filter(({group}) => group === 'lock');
    const lost = appPieces(app).sumStates(waitSelection(app))[LOCK_STATE];
    parts.push(
        element(
            'p', {},
            locks.length ?
                `Threads waited ${timeText(lost)} in all for ${countText(locks.length, 'lock')}.` :
                'No thread was found waiting for a lock.'),
        locks.length ? lockTable(app, locks) : null);
  }
  parts.push(element('p', {}, viewLink(app, {}, 'All that threads waited for')));
  return parts.filter(Boolean);
}
