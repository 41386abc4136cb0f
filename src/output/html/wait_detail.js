// SPDX-License-Identifier: MIT
/** One thing that was waited for: who held it when, what the holder did, and who waited longest. */
import {countText, percentText, timeText} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {holderText, pieceFunction, shortThread, stateName, stateSwatch, thingText, threadLabel, waitsText} from './piece_words.js';
import {chainDetails, sampleLinks} from './thread_detail.js';
import {bucketsBetween} from './time_axis.js';
import {appPieces, appWaits} from './time_data.js';
import {say} from './tip.js';
import {WaitLane} from './wait_lane.js';
import {episodeAt, episodesWithin, longestWaits} from './waits_model.js';

const WAITS_SHOWN = 15;
const HOLDERS_SHOWN = 12;
const EPISODES_SHOWN = 200;
const DID_SHOWN = 4;
const DID_NAME = 28;
const IN_NAME = 21;
const DID_LEAST = 0.002;  // of the time, that is told

function sortedThreads(threads) {
  return [...new Set(threads)].filter((thread) => thread >= 0).sort((a, b) => a - b);
}

export class WaitDetail {
  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.lane = new WaitLane(app, (time) => this.ask(time));
    this.answer = element('p', {class: 'wt-answer', role: 'status'});
    this.input = element('input', {
      type: 'number',
      id: 'wt-at',
      min: '0',
      step: 'any',
      onchange: (event) => this.ask(event.target.value === '' ? null : event.target.value * 1e9),
    });
  }

  /** @param {import('./waits_model.js').Waited|null} waited */
  show(waited) {
    this.waited = waited;
    if (!waited) return replace(this.root);
    const model = appWaits(this.app);
    this.episodes = waited.episodes ??= model.episodes(waited);
    this.holders = model.holders(this.episodes);
    const {head} = this.app;
    const object = waited.object === null ? null : head.objects[waited.object];
    const title = element('h2', {tabindex: '-1', id: 'wt-object'}, thingText(head, waited));
    replace(
        this.root, title, ...this.facts(object), ...this.timePart(), ...this.holdersPart(object),
        ...this.waitsPart(object), this.links());
    this.showMoment();
  }

  facts(object) {
    const {waited} = this;
    const verb = waited.group === 'lock' ? 'Lost in waiting for it' : 'Waited for it';
    const words =
        `${verb}: ${timeText(waited.ns)} by ${countText(waited.threadCount, 'thread')}, ` +
        `${waitsText(waited)}, the longest ${timeText(waited.longest)}.`;
    return [
      element('p', {}, words),
      object && wholeWords(object) ? element('p', {class: 'dim'}, wholeWords(object)) : null,
      object?.detail ? element('p', {class: 'dim'}, visible(object.detail)) : null,
      object?.doubt ? element('p', {class: 'warn'}, `[${visible(object.doubt)}]`) : null,
    ].filter(Boolean);
  }

  // Who holds it at a time.

  timePart() {
    if (!this.episodes.length)
      return this.waited.group === 'lock' ?
          [element('p', {class: 'dim'}, 'Nothing told who held it.')] :
          [];
    return [
      element(
          'p', {class: 'bar-row'}, element('label', {'for': 'wt-at'}, 'Who holds it at'),
          this.input, ' s? Or click below; drag to choose a time.'),
      this.answer, this.lane.canvas
    ];
  }

  /** @param {number|null} time  ns: the moment of which is told who holds it */
  ask(time) {
    this.app.set({at: time === null ? null : Math.max(0, Math.round(time))});
    say(this.answer.textContent);
  }

  /** Follows the moment that is asked for. */
  showMoment() {
    if (!this.waited) return;
    this.lane.show(this.waited, this.episodes, this.app.state.at);
    this.showAnswer();
  }

  showAnswer() {
    const {at} = this.app.state;
    replace(this.answer);
    this.input.value = at === null ? '' : String(Math.round(at / 1e6) / 1e3);
    if (at === null) return;
    const found = episodeAt(this.episodes, at);
    const when = timeText(at);
    if (!found) {
      this.answer.append(
          `At ${when}: nobody was seen waiting for it that could tell who holds it.`,
          ...this.nearestWords(at));
      return;
    }
    const {holder, from, to, inferred, waiters} = found;
    this.answer.append(
        `At ${when}: `, this.holderLink(holder), inferred ? ' [inferred]' : '',
        ` from ${timeText(from)} to ${timeText(to)} (${timeText(to - from)}), while ` +
            `${countText(waiters, 'thread')} waited. `,
        ...this.didWords(holder, [[from, to]], 'It was '));
  }

  /** Who held it before a time of which nothing is known, and after it. */
  nearestWords(at) {
    const next = this.episodes.find(({from}) => from > at);
    const last = this.episodes.filter(({to}) => to <= at).at(-1);
    return [
      ...(last ? [' Before: ', this.holderLink(last.holder), `, until ${timeText(last.to)}.`] : []),
      ...(next ? [' Next: ', this.holderLink(next.holder), `, from ${timeText(next.from)}.`] : []),
    ];
  }

  /** @param {boolean} [short]  by the thread's name alone */
  holderLink(holder, short = false) {
    const {head} = this.app;
    const text =
        short && holder.thread >= 0 ? shortThread(head, holder.thread) : holderText(head, holder);
    if (holder.thread < 0) return text;
    return element(
        'button', {
          type: 'button',
          class: 'link',
          title: `Choose this thread: ${holderText(head, holder)}`,
          onclick: () => this.app.set({threads: [holder.thread]})
        },
        text);
  }

  /** "97 % running in format_report, …": what a holder did within intervals. */
  didWords(holder, intervals, before = '') {
    if (holder.thread < 0) return [];
    const {head} = this.app;
    const all = intervals.reduce((sum, [from, to]) => sum + to - from, 0);
    const did = appPieces(this.app)
                    .didWithin(holder.thread, intervals)
                    .filter(({ns}) => ns > all * DID_LEAST);
    const parts = did.slice(0, DID_SHOWN).map(({state, text, ns}) => {
      const func = pieceFunction(head, text);
      return element(
          'span', {class: 'wt-did', title: func}, stateSwatch(state), `${percentText(ns, all)} `,
          stateName(head, state), func ? ' in ' : '',
          func ? element('code', {}, shortened(func, DID_NAME)) : '');
    });
    if (did.length > DID_SHOWN)
      parts.push(element('span', {class: 'wt-did dim'}, `and ${did.length - DID_SHOWN} more`));
    return parts.length ? [before, ...parts] : [];
  }

  // Holders, and when.

  holdersPart(object) {
    if (!this.holders.length) return [];
    const join = this.waited.kind === 'join';
    const rows = this.holders.slice(0, HOLDERS_SHOWN).map((sum) => {
      const known = object?.holders?.find(({thread}) => thread === sum.holder.thread);
      return element(
          'tr', {},
          element(
              'td', {class: 'wt-name'}, this.holderLink(sum.holder),
              sum.inferred ? ' [inferred]' : '',
              known?.took?.length ? chainDetails('took in', known.took) : null),
          element('td', {class: 'number'}, timeText(sum.ns)),
          element('td', {class: 'number'}, timeText(sum.longest)),
          element('td', {class: 'number'}, String(sum.count)),
          element('td', {}, ...this.didWords(sum.holder, sum.intervals)));
    });
    const left = this.holders.length - rows.length;
    return [
      element('h3', {}, join ? 'What the thread did meanwhile' : 'Held by, while others waited'),
      element(
          'div', {class: 'scroll'},
          element(
              'table', {},
              tableHead(['Holder', 'Time', 'Longest', 'Times', 'What it did meanwhile'], [1, 2, 3]),
              element('tbody', {}, ...rows))),
      left ? element('p', {class: 'dim'}, `and by ${left} more`) : null,
      this.episodesDetails(),
    ].filter(Boolean);
  }

  episodesDetails() {
    const {episodes} = this;
    const details = element(
        'details', {class: 'chain-details'},
        element('summary', {}, `All stretches in the order of time (${episodes.length})`));
    details.addEventListener('toggle', () => {
      if (!details.open || details.childElementCount > 1) return;
      const rows =
          episodes.slice(0, EPISODES_SHOWN)
              .map(
                  ({holder, from, to, inferred, waiters}) => element(
                      'tr', {}, element('td', {class: 'number'}, timeText(from)),
                      element('td', {class: 'number'}, timeText(to - from)),
                      element('td', {}, this.holderLink(holder), inferred ? ' [inferred]' : ''),
                      element('td', {class: 'number'}, String(waiters)),
                      element('td', {}, ...this.didWords(holder, [[from, to]]))));
      details.append(element(
          'div', {class: 'scroll'},
          element(
              'table', {},
              tableHead(['From', 'For', 'Held by', 'Waited', 'What it did'], [0, 1, 3]),
              element('tbody', {}, ...rows))));
      if (episodes.length > EPISODES_SHOWN)
        details.append(element(
            'p', {class: 'dim'},
            `… ${episodes.length - EPISODES_SHOWN} more: choose a shorter time`));
    });
    return details;
  }

  // Who waited longest.

  waitsPart(object) {
    const {head: facts} = this.app;
    const chain = object?.waiters?.[0]?.chain;
    const pieces = appPieces(this.app);
    const isLock = this.waited.group === 'lock';
    const rows = longestWaits(this.waited.waits, WAITS_SHOWN).map((wait) => {
      const parts = this.heldDuring(wait);
      const func = pieceFunction(facts, pieces.text[wait.first]);
      return element(
          'tr', {},
          element('td', {title: threadLabel(facts, wait.thread)}, shortThread(facts, wait.thread)),
          element('td', {class: 'number'}, timeText(wait.from)),
          element(
              'td', {class: 'number'},
              element(
                  'button', {
                    type: 'button',
                    class: 'link',
                    title: 'Choose this time',
                    onclick: () => this.chooseWait(wait, parts)
                  },
                  timeText(wait.ns))),
          element('td', {class: 'code', title: func}, shortened(withoutParameters(func), IN_NAME)),
          isLock || this.episodes.length ? this.heldCell(parts) : null);
    });
    const left = this.waited.count - rows.length;
    return [
      element('h3', {}, 'Longest waits'),
      chain?.length ? chainDetails('waits in (the one that waited longest)', chain) : null,
      element(
          'table', {class: 'wt-lines'},
          tableHead(
              [
                'Thread', 'From', 'For', 'In',
                ...(isLock || this.episodes.length ? ['Held by'] : [])
              ],
              [1, 2]),
          element('tbody', {}, ...rows)),
      left > 0 ? element('p', {class: 'dim'}, `and ${left} shorter ones`) : null,
    ].filter(Boolean);
  }

  /** Who held it during a wait: holders with their intervals, longest first. */
  heldDuring({from, to}) {
    return appWaits(this.app).holders(episodesWithin(this.episodes, from, to));
  }

  /** Who held it longest during a wait; all of them, and what they did, for who points at it. */
  heldCell(parts) {
    if (!parts.length)
      return element('td', {class: 'dim'}, this.waited.group === 'lock' ? 'owner not known' : '');
    const [{holder, inferred}] = parts;
    const {head} = this.app;
    const all = parts.map(
        ({holder: one,
          ns,
          intervals: when}) => [`${holderText(head, one)} ${timeText(ns)}`,
                                ...this.didWords(one, when).map((part) => part.textContent)]
                                   .join('\n  '));
    return element(
        'td', {title: all.join('\n')}, this.holderLink(holder, true), inferred ? ' [inferred]' : '',
        parts.length > 1 ? ` and ${parts.length - 1} more ` : '');
  }

  chooseWait(wait, parts) {
    const threads = sortedThreads([wait.thread, ...parts.map(({holder}) => holder.thread)]);
    this.app.set(
        {threads, span: bucketsBetween(this.app.head.time, wait.from, wait.to), view: 'timeline'});
  }

  links() {
    const {app} = this;
    const {span} = app.state;
    const waiters = sortedThreads(this.waited.threads.keys());
    const holders = sortedThreads(this.holders.map(({holder}) => holder.thread));
    const parts = [
      element('h3', {}, 'The threads that waited'),
      sampleLinks(app, {threads: waiters, span, states: 'wait'})
    ];
    if (holders.length)
      parts.push(
          element('h3', {}, 'The threads that held it'),
          sampleLinks(app, {threads: holders, span, states: 'all'}));
    return element('div', {}, ...parts);
  }
}

/** What is told of an object of all threads and times alone. */
function wholeWords(object) {
  const parts = [
    object.at_once > 1 ? `at most ${object.at_once} at once` : '',
    object.still ?
        `${countText(object.still, 'thread')} still ${object.still === 1 ? 'waits' : 'wait'}` :
        '',
  ].filter(Boolean);
  return parts.length ? `Whole capture: ${parts.join(', ')}.` : '';
}

/** "put()" of "put(int, int)". */
function withoutParameters(func) {
  return func.replace(/^([^(]+)\(.*$/s, '$1()');
}

/** The head of a table; `numbers`: columns of numbers. */
export function tableHead(names, numbers) {
  return element(
      'thead', {},
      element(
          'tr', {},
          ...names.map(
              (name, i) => element(
                  'th', {scope: 'col', class: numbers.includes(i) ? 'number' : undefined}, name))));
}
