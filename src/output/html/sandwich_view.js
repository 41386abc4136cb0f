// SPDX-License-Identifier: MIT
/** What is known of the selected function: who calls it, whom it calls, its lines and threads. */
import {deltaText, percentText, shareText, weightText, weightWords} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {changeOf} from './model.js';
import {callPlacesOf, heaviestPath, neighboursOf, threadsOf, trustsOf} from './sandwich.js';
import {say} from './tip.js';
import {valuesHere} from './values_view.js';
import {SLEEPS_WORDS, threadName, trustWords} from './words.js';

const SANDWICH_FIRST = 12;  // rows that a list begins with
const SANDWICH_MORE = 100;  // and how many come at a time
const SANDWICH_NAME_MAX = 160;

/** Keys of the state on which what is shown depends. */
const SANDWICH_REDRAWS = ['func', 'weight', 'threads', 'span', 'states', 'side', 'view'];

/**
 * A list with a heading: its first rows, and a button for more. @param rows anything
 * @param makeRow from one of them to its element
 */
function longList(title, heads, rows, makeRow) {
  const body = element('tbody', {});
  const more = element('button', {type: 'button', class: 'sandwich-more'});
  let shown = 0;
  const grow = (count) => {
    const end = Math.min(rows.length, shown + count);
    body.append(...rows.slice(shown, end).map(makeRow));
    shown = end;
    more.textContent = `${rows.length - shown} more`;
    more.hidden = shown >= rows.length;
  };
  more.addEventListener('click', () => grow(SANDWICH_MORE));
  grow(SANDWICH_FIRST);
  const head = element(
      'tr', {}, ...heads.map(([name, kind]) => element('th', {scope: 'col', class: kind}, name)));
  return element(
      'section', {class: 'sandwich-part'},
      element(
          'table', {class: 'sandwich-list'}, element('caption', {}, title),
          element('thead', {}, head), body),
      more);
}

/** "at file.c:12", all of the path as its title. */
function callPlace(place) {
  const path = visible(place);
  return element(
      'span', {class: 'sandwich-place code dim', title: `${path}: most of its calls`},
      `at ${path.slice(path.lastIndexOf('/') + 1)}`);
}

class Sandwich {
  constructor(app, root) {
    this.app = app;
    this.root = root;
  }

  update(changed) {
    if (!SANDWICH_REDRAWS.some((key) => changed.has(key))) return;
    const {func} = this.app.state;
    if (func === null)
      replace(
          this.root,
          element(
              'p', {class: 'dim'},
              'Select a function: its callers, what it calls, its lines and threads show here.'));
    else
      this.show(func);
    if (changed.has('func')) this.root.scrollTop = 0;
  }

  show(func) {
    const {app} = this;
    const {model} = app;
    const sums = app.shownSums();
    const total = sums.functionTotal[func];
    const module = model.moduleOf(func);
    const ofBase = app.state.side === 'base' && !!app.baseSums();
    replace(
        this.root, this.nameLine(func),
        module ? element('p', {class: 'sandwich-module code dim'}, visible(module.path)) : null,
        this.figures(func, sums),
        app.sleepers()[func] && !ofBase ? element('p', {class: 'dim'}, SLEEPS_WORDS) : null,
        this.links(func, sums),
        ...(total > 0 ? this.parts(func, sums, total, ofBase) :
                        [element('p', {class: 'dim'}, 'The selection has nothing of it.')]));
  }

  nameLine(func) {
    const name = this.app.model.functionName(func);
    const label = this.app.model.functionLabel(func);
    const text = element('h2', {class: 'sandwich-name code', tabindex: 0}, visible(label));
    const copy = element(
        'button', {type: 'button', class: 'sandwich-copy', onclick: () => this.copy(name, text)},
        'Copy name');
    return element('div', {class: 'sandwich-head'}, text, copy);
  }

  /** Where the clipboard is not to be had the name is selected, ready to be copied by hand. */
  async copy(name, text) {
    try {
      await navigator.clipboard.writeText(name);
      say('The name was copied');
    } catch {
      window.getSelection().selectAllChildren(text);
      say('The name is selected');
    }
  }

  figures(func, sums) {
    const {app} = this;
    const {weight} = app.state;
    const base = app.baseSums();
    const now = app.sums();
    const figure = (name, kind) => {
      const value = sums[kind][func];
      const change = base && changeOf(now[kind][func], now, base[kind][func], base);
      return element(
          'div', {}, element('dt', {}, name),
          element(
              'dd', {}, element('strong', {}, percentText(value, sums.sum)),
              ` ${weightWords(weight, value)}`,
              change ? element(
                           'span', {class: change.noise ? 'dim' : null},
                           ` (${deltaText(change.points)}${change.noise ? '~, noise' : ''})`) :
                       null));
    };
    return element(
        'dl', {class: 'sandwich-figures'}, figure('Self', 'functionSelf'),
        figure('Total', 'functionTotal'));
  }

  links(func, sums) {
    const {app} = this;
    const link = (name, parts) =>
        element('button', {type: 'button', onclick: () => app.set(parts())}, name);
    const flame = () =>
        ({view: 'flame', invert: false, rows: 'merged', zoom: heaviestPath(app.model, func, sums)});
    return element(
        'p', {class: 'sandwich-links'}, link('Show in flame graph', flame),
        app.head.columns.svg ? link('Show in call graph', () => ({view: 'graph'})) : null);
  }

  parts(func, sums, total, ofBase) {
    const {app} = this;
    const around = neighboursOf(app.model, func, sums);
    const threads = ofBase ? [] : threadsOf(app.model, func, app.selection());
    const parts = [
      this.callList(
          'Called by', 'caller', around.callers, total, around.first, 'nobody: outermost',
          callPlacesOf(app.model, func, sums)),
      this.callList(
          'Calls', 'callee', around.callees, total, sums.functionSelf[func], 'in itself',
          new Map()),
      ...(ofBase ? [] : [valuesHere(app, func)]),
      this.lineList(func, sums),
    ];
    if (threads.length) parts.push(this.threadList(threads, total));
    parts.push(this.trustLine(func, sums, total));
    return parts;
  }

  /** Cells of a weight and its share of the function's total, with a bar. */
  weightCells(value, total) {
    const share = element('td', {class: 'number sandwich-share'}, shareText(value, total));
    share.style.setProperty('--part', String(value / total));
    return [element('td', {class: 'number'}, weightText(this.app.state.weight, value)), share];
  }

  /**
   * `rest`: of the total, what is of none of the functions; `places`: by function, the line of most
   * of its calls.
   */
  callList(title, role, list, total, rest, restName, places) {
    const {app} = this;
    const rows = rest > 0 ? [...list, {func: -1, weight: rest}] : list;
    rows.sort((a, b) => b.weight - a.weight);
    return longList(
        title, [['weight', 'number'], ['of its total', 'number'], ['function', '']], rows,
        ({func, weight}) => element(
            'tr', {[`data-${role}`]: func < 0 ? null : func}, ...this.weightCells(weight, total),
            element(
                'td', {},
                func < 0 ?
                    element('span', {class: 'dim'}, `(${restName})`) :
                    element(
                        'button',
                        {type: 'button', class: 'sandwich-go code', onclick: () => app.set({func})},
                        shortened(app.model.functionLabel(func), SANDWICH_NAME_MAX)),
                places.has(func) ? callPlace(places.get(func)) : null)));
  }

  lineList(func, sums) {
    const {weight} = this.app.state;
    const cell = (value) => element('td', {class: 'number'}, weightText(weight, value));
    return longList(
        'Its lines', [['self', 'number'], ['total', 'number'], ['line', '']],
        this.app.model.linesOf(func, sums),
        (line) => element(
            'tr', {}, cell(line.self), cell(line.total),
            element(
                'td', {class: 'code'},
                line.place ? visible(line.place) :
                             element('span', {class: 'dim'}, '(line not known)'))));
  }

  threadList(threads, total) {
    const {app} = this;
    return longList(
        'In threads', [['weight', 'number'], ['of its total', 'number'], ['thread', '']], threads,
        ({thread, weight}) => element(
            'tr', {}, ...this.weightCells(weight, total),
            element(
                'td', {},
                element(
                    'button', {
                      type: 'button',
                      class: 'sandwich-go',
                      title: 'Choose this thread alone',
                      onclick: () => app.set({threads: [thread]})
                    },
                    shortened(threadName(app.head, thread), SANDWICH_NAME_MAX)))));
  }

  trustLine(func, sums, total) {
    const {trusts} = this.app.head;
    const words =
        trustsOf(this.app.model, func, sums)
            .map(
                ({trust, weight}) =>
                    `${trustWords(trusts?.[trust] ?? '?')} ${percentText(weight, total)}`);
    return element('p', {class: 'dim'}, `Its frames were found by: ${words.join(', ')}`);
  }
}

/** @param {import('./app.js').App} app @returns {{root: HTMLElement, update: Function}} */
export function createSandwich(app, root) {
  const sandwich = new Sandwich(app, root);
  return {root, update: (changed) => sandwich.update(changed)};
}
