// SPDX-License-Identifier: MIT
/**
 * Who waits for whom: deadlocks, threads that are blocked, and what was waited for by time lost.
 */
import {countText, timeText} from './amounts.js';
import {element, replace, shortened} from './dom.js';
import {ownerWords, pieceFunction, shortThread, thingText, threadLabel, waitsNumber, waitText} from './piece_words.js';
import {chainDetails} from './thread_detail.js';
import {endOf} from './time_axis.js';
import {appPieces, appWaited, appWaits, waitSelection} from './time_data.js';
import {COARSE_WORDS} from './timeline_view.js';
import {variablesWithin} from './values_view.js';
import {tableHead, WaitDetail} from './wait_detail.js';
import {deadlocksPart, ordersPart} from './waits_deadlocks.js';
import {blockedOfMoment, objectsOfMoment} from './waits_moment.js';
import {spanText} from './words.js';

const THINGS_SHOWN = 40;
const BLOCKED_SHOWN = 30;
const WAITS_NAME = 48;
const HOLDER_MOST = 140;

/** Those that were waited for least have no name here. */
function leftOutWords(count) {
  return count ?
      `${countText(count, 'more object')} told by ${count === 1 ? 'its' : 'their'} kind.` :
      '';
}

class WaitsView {
  constructor(app, root) {
    this.app = app;
    this.hasPieces = !!app.head.time && !!app.head.columns['thread.pieces'];
    this.deadlocks = element('section', {'aria-label': 'Deadlocks'});
    this.blocked = element('section', {});
    this.tables = element('div', {});
    this.detailRoot =
        element('aside', {class: 'panel wt-detail', 'aria-label': 'What is waited for'});
    this.orders = element('div', {});
    this.both = element('div', {class: 'wt-both'}, this.tables, this.detailRoot);
    this.detail = new WaitDetail(app, this.detailRoot);
    this.note = element('p', {class: 'dim'}, [
      'Who holds what was read from the kernel or the object itself, except where it is ' +
          'marked as inferred.',
      this.hasPieces ? 'Times are those between samples, less what threads ran meanwhile.' : '',
      app.head.coarse ? COARSE_WORDS : '',
      leftOutWords(app.head.objects_left_out),
    ].filter(Boolean).join(' '));
    replace(
        root, this.note, this.deadlocks, this.blocked, this.hasPieces ? this.both : null,
        this.orders);
  }

  // Blocked at the end.

  showBlocked() {
    const {app} = this;
    const {to, threads} = waitSelection(app);
    const atEnd = to >= endOf(app.head);
    const words = (holder, wait) => ownerWords(app.head, wait, holder);
    const list =
        atEnd ? appWaits(app).blockedAtEnd(threads) : appWaits(app).blockedAt(to, threads, words);
    const title = atEnd ? 'Blocked when the capture ends' :
                          `Blocked at ${timeText(to)}, where the chosen time ends`;
    const parts = [element('h2', {}, title)];
    if (!list.length)
      parts.push(
          element('p', {class: 'dim'}, 'No thread waits for another, or for what one gives.'));
    else
      parts.push(element(
          'div', {class: 'scroll'},
          element(
              'table', {}, tableHead(['Thread', 'Waits for', 'In', 'Since', 'For'], [3, 4]),
              element(
                  'tbody', {},
                  ...list.slice(0, BLOCKED_SHOWN).map((group) => this.blockedRow(group))))));
    if (list.length > BLOCKED_SHOWN)
      parts.push(element('p', {class: 'dim'}, `and ${list.length - BLOCKED_SHOWN} more`));
    replace(this.blocked, ...parts);
  }

  /** @param {import('./waits_model.js').Blocked} group */
  blockedRow({threads, wait, holder, piece, since, until, chain, always}) {
    const {app} = this;
    const {head} = app;
    const pieces = appPieces(app);
    const names = element(
        'button', {
          type: 'button',
          class: 'link',
          title: 'Choose these threads',
          onclick: () => app.set({threads: [...threads]})
        },
        threadLabel(head, threads[0]));
    return element(
        'tr', {},
        element(
            'td', {class: 'wt-name'}, names,
            threads.length > 1 ? ` and ${threads.length - 1} more` : ''),
        element(
            'td', {class: 'wt-name'}, this.thingLink(wait),
            holder ? element('span', {class: 'dim'}, ` ${shortened(holder, HOLDER_MOST)}`) : null),
        element(
            'td', {class: 'code wt-in'},
            element(
                'span', {title: pieceFunction(head, pieces.text[piece])},
                shortened(pieceFunction(head, pieces.text[piece]), WAITS_NAME)),
            chain?.length ? chainDetails('chain', chain) : null,
            ...variablesWithin(app, threads[0], [since, until], {open: false, at: until})),
        element('td', {class: 'number'}, always ? 'the beginning' : timeText(since)),
        element('td', {class: 'number'}, timeText(Math.max(0, until - since))));
  }

  thingLink(wait) {
    const thing = wait.object ?? null;
    const text = waitText(this.app.head, wait);
    return thing === null ?
        text :
        element(
            'button', {type: 'button', class: 'link', onclick: () => this.app.set({object: thing})},
            text);
  }

  // What was waited for.

  showThings() {
    const {app} = this;
    this.waited = appWaited(app);
    const groups = [
      ['lock', 'Locks, by the time lost in waiting for them', 'Lost'],
      ['threads', 'Other objects, by the time that threads waited for them', 'Waited'],
      ['outside', 'Waited for the world outside', 'Waited'],
    ];
    const parts = [];
    for (const [group, title, verb] of groups) {
      const list = this.waited.filter((waited) => waited.group === group);
      if (list.length) parts.push(this.table(title, verb, list));
    }
    const span = app.state.span ? spanText(app, app.state.span) : 'all of the time';
    if (!parts.length)
      parts.push(element('p', {class: 'dim'}, `No thread was seen waiting for anything: ${span}.`));
    replace(this.tables, ...parts);
  }

  table(title, verb, list) {
    const most = list[0].ns;
    const rows = list.slice(0, THINGS_SHOWN).map((waited) => this.thingRow(waited, most));
    return element(
        'section', {}, element('h2', {}, title),
        element(
            'div', {class: 'scroll'},
            element(
                'table', {},
                tableHead(
                    ['Object', verb, 'Longest', 'Waits', 'Threads', 'Waited longest'],
                    [1, 2, 3, 4]),
                element('tbody', {}, ...rows))),
        list.length > rows.length ?
            element('p', {class: 'dim'}, `and ${list.length - rows.length} more`) :
            null);
  }

  thingRow(waited, most) {
    const {app} = this;
    const {head} = app;
    const chosen = app.state.object === waited.thing;
    const longest = waited.waits.reduce((a, b) => (b.ns > a.ns ? b : a));
    const bar = element('span', {class: 'wt-bar', 'aria-hidden': 'true'});
    bar.style.width = `${(100 * waited.ns) / most}%`;
    return element(
        'tr', {'aria-selected': String(chosen)},
        element(
            'td', {class: 'wt-name'},
            element(
                'button', {
                  type: 'button',
                  class: 'link',
                  'aria-pressed': String(chosen),
                  onclick: () => app.set({object: chosen ? null : waited.thing})
                },
                thingText(head, waited))),
        element('td', {class: 'number wt-lost'}, bar, element('span', {}, timeText(waited.ns))),
        element('td', {class: 'number'}, timeText(waited.longest)),
        element('td', {class: 'number'}, waitsNumber(waited)),
        element('td', {class: 'number'}, String(waited.threadCount)),
        element(
            'td', {class: 'wt-in', title: threadLabel(head, longest.thread)},
            shortThread(head, longest.thread)));
  }

  /** The thing that is selected; of none the first lock. */
  showDetail() {
    const {object} = this.app.state;
    const waited = this.waited.find(({thing}) => thing === object) ??
        (object === null ? this.waited.find(({group}) => group === 'lock') : null);
    this.detailRoot.hidden = !waited && object === null;
    this.detail.show(waited ?? null);
    if (!waited && object !== null)
      replace(
          this.detailRoot,
          element('p', {class: 'dim'}, 'Nothing that is chosen waited for what is selected.'));
  }

  update(changed) {
    const {app} = this;
    if (!changed) {
      replace(this.deadlocks, element('h2', {}, 'Deadlocks'), ...deadlocksPart(app));
      replace(this.orders, ordersPart(app));
    }
    if (!this.hasPieces) {
      if (!changed) replace(this.blocked, ...blockedOfMoment(app), ...objectsOfMoment(app));
      return;
    }
    const selected = !changed || ['threads', 'span'].some((key) => changed.has(key));
    if (selected) this.showBlocked();
    if (selected || changed.has('object')) this.showThings();
    if (selected || changed.has('object'))
      this.showDetail();
    else if (changed.has('at'))
      this.detail.showMoment();
    else if (changed.has('size'))
      this.detail.lane.draw();
  }
}

/** @param {import('./app.js').App} app */
export function createWaitsView(app, root) {
  const view = new WaitsView(app, root);
  view.update(null);
  return {update: (changed) => view.update(changed)};
}
