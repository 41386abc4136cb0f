// SPDX-License-Identifier: MIT
/** What is known of a thread, or of the threads of a kind: beside the list of threads. */
import {countText, percentText, shareText, timeText, WEIGHT_NAMES, weightWords} from './amounts.js';
import {element, shortened, visible} from './dom.js';
import {pieceFunction, stateName, stateSwatch} from './piece_words.js';
import {PIECE_WAITS, UNKNOWN_STATE} from './pieces.js';
import {appPieces, chosenTime, pieceSelection} from './time_data.js';
import {calledText} from './time_innermost.js';
import {variablesWithin} from './values_view.js';

const MOSTLY = 6;            // functions that are told
const MOSTLY_LEAST = 0.002;  // of the time, that is told
const LONG_NAME = 90;
const MOSTLY_NAME = 56;

const UNSAMPLED_WORDS =
    'Not sampled: before its first sample, or where the next came late; why is not known.';

/** "96 KiB". */
export function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit < 3; bytes /= 1024) unit++;
  return `${bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
}

/** A chain of calls, innermost first, that is opened on demand. */
export function chainDetails(summary, chain, {open = false} = {}) {
  const calls = chain.map(
      (call) => element('li', {class: 'code', title: visible(call)}, shortened(call, 160)));
  return element(
      'details', {class: 'chain-details', open}, element('summary', {}, summary),
      element('ol', {class: 'chain'}, ...calls));
}

/** Links to the other views of what is selected by `parts`; who waits uses no CPU time. */
export function sampleLinks(app, parts) {
  const waits = parts.states === 'wait';
  const weights = waits && app.state.weight === 'cpu' ? ['offcpu', 'wall', 'samples'] : [];
  const weight = weights.find((kind) => app.head.weights.includes(kind)) ?? app.state.weight;
  const link = (view, text) => element(
      'button',
      {type: 'button', class: 'button', onclick: () => app.set({weight, ...parts, view, zoom: []})},
      text);
  return element(
      'p', {class: 'bar-row'},
      link(
          'flame',
          waits ? 'Flame graph of these threads, waiting' : 'Flame graph of exactly these samples'),
      app.head.columns['thread.pieces'] ? link('timeline', 'Timeline') : null);
}

function creation(head, row) {
  const known = row.node >= 0 ? head.hierarchy[row.node] : null;
  if (!known) return [];
  const parts = [];
  if (known.site)
    parts.push(element(
        'p', {}, known.main ? 'forked in ' : 'made in ',
        element('span', {class: 'code'}, visible(known.site))));
  if (known.creation_seen === false && !known.main)
    parts.push(element('p', {class: 'dim'}, '[creation not seen]'));
  if (known.chain?.length) parts.push(chainDetails('Chain of calls that made it', known.chain));
  return parts;
}

function statesTable(head, sums) {
  const total = sums.reduce((sum, ns) => sum + ns, 0);
  if (!total) return element('p', {class: 'dim'}, 'Not there in the chosen time.');
  const rows = [...sums.keys()]
                   .filter((state) => sums[state] > 0)
                   .map(
                       (state) => element(
                           'tr', {}, element('td', {}, stateSwatch(state), stateName(head, state)),
                           element('td', {class: 'number'}, timeText(sums[state])),
                           element('td', {class: 'number'}, shareText(sums[state], total))));
  return element('table', {}, element('tbody', {}, ...rows));
}

/** "fsync ← journal()": in what threads waited in a state, as far as it is one thing. */
function waitedIn(app, threads, {state, text}) {
  const {from, to} = pieceSelection(app);
  const pieces = appPieces(app);
  const texts = new Set();
  for (const thread of threads) {
    const list = [];
    pieces.each(thread, from, to, (piece) => {
      if (pieces.state[piece] === state && pieces.text[piece] === text) list.push(piece);
    });
    if (list.length) texts.add(calledText(app, thread, list));
  }
  return texts.size === 1 ? [...texts][0] : pieceFunction(app.head, text);
}

/** What threads mostly did in the chosen time. */
function mostly(app, threads) {
  const {head} = app;
  const {from, to, states} = pieceSelection(app);
  const sums = new Map();
  let total = 0;
  for (const thread of threads)
    for (const did of appPieces(app).didWithin(thread, [[from, to]])) {
      if (!states[did.state]) continue;
      const key = `${did.state} ${did.text}`;
      const sum = sums.get(key) ?? {...did, ns: 0};
      sum.ns += did.ns;
      total += did.ns;
      sums.set(key, sum);
    }
  return [...sums.values()]
      .filter(({ns}) => ns > total * MOSTLY_LEAST)
      .sort((a, b) => b.ns - a.ns)
      .slice(0, MOSTLY)
      .map((did) => {
        const {state, text, ns} = did;
        const words = !text      ? '' :
            state >= PIECE_WAITS ? waitedIn(app, threads, did) :
                                   pieceFunction(head, text);
        return element(
            'li', {}, stateSwatch(state), `${percentText(ns, total)} ${stateName(head, state)}`,
            element('span', {class: 'code', title: words}, ` ${shortened(words, MOSTLY_NAME)}`));
      });
}

/** "12 samples", "0 s of CPU time, by samples". */
function weightLine(kind, value) {
  const words = weightWords(kind, value);
  if (kind === 'samples' || kind === 'calls') return words;
  return `${words} of ${WEIGHT_NAMES[kind]}${kind === 'cpu' ? ', by samples' : ''}`;
}

/**
 * @param {import('./threads_rows.js').ThreadRow} row
 * @param {{title: string, states: Float64Array|null, weight: number,
 *   whole: [string, string][]}} figures
 */
export function threadDetail(app, row, figures) {
  const {title, states, weight, whole} = figures;
  const {head} = app;
  const known = row.node >= 0 ? head.hierarchy[row.node] : null;
  const parts = [element('h2', {class: 'th-title', title}, shortened(title, LONG_NAME))];
  const only = row.threads.length === 1 ? head.threads[row.threads[0]] : null;
  if (only)
    parts.push(element('p', {class: 'dim'}, [
      only.name ? `'${visible(only.name)}'` : '', only.tid ? `tid ${only.tid}` : '',
      only.pid ? `of process ${only.pid}` : '', known?.hash ? `#${known.hash}` : ''
    ].filter(Boolean).join(' · ')));
  else if (known)
    parts.push(element(
        'p', {class: 'dim'},
        `${countText(row.threads.length, 'thread')} of one kind · #${visible(known.hash ?? '')}`));
  parts.push(...creation(head, row));
  if (!row.threads.length) return parts;
  parts.push(sampleLinks(app, {threads: [...row.threads]}));
  if (only?.depth) parts.push(element('p', {}, `Deepest chain: ${countText(only.depth, 'frame')}`));
  if (head.time)
    parts.push(element('h3', {}, app.state.span ? 'In the chosen time' : 'In all of the time'));
  parts.push(element('p', {}, weightLine(app.state.weight, weight)));
  if (states && !only?.more) {
    parts.push(statesTable(head, states));
    if (states[UNKNOWN_STATE]) parts.push(element('p', {class: 'dim'}, UNSAMPLED_WORDS));
    const list = mostly(app, row.threads);
    if (list.length)
      parts.push(element('h3', {}, 'Mostly'), element('ul', {class: 'th-mostly'}, ...list));
  }
  if (only && !only.more) {
    const told = variablesWithin(app, row.threads[0], chosenTime(app), {open: false});
    if (told.length) parts.push(element('h3', {}, 'Variables'), ...told);
  }
  if (whole.length) {
    const rows = whole.map(
        ([name, text]) =>
            element('tr', {}, element('td', {}, name), element('td', {class: 'number'}, text)));
    parts.push(
        element('h3', {}, 'In the whole capture'),
        element('table', {}, element('tbody', {}, ...rows)));
  }
  return parts;
}
