// SPDX-License-Identifier: MIT
/** The first view: what to know before the others are believed, and where the weight is. */
import {countText, percentText, shareText, timeText, WEIGHT_NAMES, weightText} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {lostText, overviewChange, rateText} from './overview_change.js';
import {overviewWaits} from './overview_waits.js';
import {partBar, trustParts} from './quality_bars.js';
import {dateText, SLEEPS_WORDS, stopWords, threadCount} from './words.js';

const GOES = {
  samples: 'Where the samples are',
  wall: 'Where the time goes',
  cpu: 'Where the CPU time goes',
  offcpu: 'Where threads wait',
  calls: 'What is called',
};
const TOP = 15;
const MISSING_SHOWN = 8;
/** From this share of samples of threads that wait on it is told, as src/graph/caveats.h has it. */
const WAITING = 0.8;
/** Below this part of the time a program hardly ran, as src/graph/weight_choice.h has it. */
const HARDLY_RAN = 0.01;

function panel(title, ...children) {
  return element('section', {class: 'panel'}, element('h2', {}, title), ...children);
}

/** Names and values; those without a value are left out. */
function facts(pairs) {
  const list = element('dl', {class: 'facts'});
  for (const [name, value] of pairs)
    if (value !== null && value !== undefined && value !== '')
      list.append(element('dt', {}, name), element('dd', {}, value));
  return list;
}

/** What all inputs and processes have in common; '' where they differ. */
function common(captures, key) {
  const values = new Set(captures.map((capture) => capture[key]));
  return values.size === 1 ? [...values][0] ?? '' : '';
}

/** A list, where there is more than one thing to tell apart. */
function severalList(texts) {
  return texts.length > 1 &&
      element('ul', {}, ...texts.map((text) => element('li', {class: 'code'}, text)));
}

/** An input has several processes where it was captured with their children. */
function processTexts({captures = [], captures_left_out: more = 0}) {
  const texts = captures.filter(({pid}) => pid)
                    .map(({pid, command, exe}) => `${pid} ${shortened(command ?? exe ?? '', 200)}`);
  return more ? [...texts, `and ${more} more`] : texts;
}

function capturePanel({head}) {
  const quality = head.quality ?? {};
  // Of a comparison: what is compared; the baseline is told of with the change.
  const captures = (head.captures ?? []).filter((capture) => !capture.base);
  const command = captures.length === 1 && captures[0].command;
  return panel(
      'Capture', facts([
        ['Command', command && element('span', {class: 'code'}, shortened(command, 400))],
        ['Inputs', severalList([...new Set(captures.map(({name}) => visible(name ?? '')))])],
        ['Processes', severalList(processTexts({...head, captures}))],
        ['Host', visible(common(captures, 'host'))],
        ['Kernel', visible(common(captures, 'kernel'))],
        ['Kind', visible(common(captures, 'kind'))],
        ['Begin', head.start_ns && dateText(head.start_ns)],
        ['Length', head.duration_ns > 0 && timeText(head.duration_ns)],
        ['Threads', threadCount(head) || ''],
        ['Samples', head.totals.samples],
        ['Rate', rateText(quality)],
        [
          'Stopped',
          quality.stopped_ns >= 0 &&
              `${timeText(quality.stopped_ns)} in all, ${timeText(quality.stopped_max_ns)} at most`
        ],
        ['Lost', lostText(quality)],
        ['Baseline', head.base_title && visible(head.base_title)],
        ['Chosen', (head.filters ?? []).map(visible).join(' ')],
      ].filter(([, value]) => value)));
}

/** What is wrong with the capture, or may mislead, and what to do. */
function warnings(app) {
  const {head, model} = app;
  const {weight} = app.state;
  // What is not of captures is of the weight that was chosen when the page was written.
  const lines = (head.caveats ?? [])
                    .filter((line) => /^(capture|baseline): /.test(line) || weight === head.weight)
                    .map((line) => element('p', {class: 'warning'}, visible(line)));
  if (head.svg_problem)
    lines.push(element('p', {class: 'warning'}, `No call graph: ${visible(head.svg_problem)}`));
  const waits = waitingShare(model);
  const isMixed = weight === 'samples' || weight === 'wall';
  const ran = (head.totals.cpu ?? 0) >= HARDLY_RAN * (head.duration_ns ?? 0);
  if (waits >= WAITING && isMixed && head.weights.includes('cpu') && ran)
    lines.unshift(element(
        'p', {class: 'warning'},
        `${percentText(waits, 1)} of the samples are of threads that wait: `,
        element(
            'button', {type: 'button', class: 'link', onclick: () => app.set({weight: 'cpu'})},
            'look at CPU time'),
        ' for what ran.'));
  return lines;
}

/** Of all samples, those of threads that were neither running nor ready. */
function waitingShare({entries, head}) {
  const {samples} = entries.weight;
  let waiting = 0;
  let all = 0;
  for (let i = 0; samples && i < entries.count; i++) {
    all += samples[i];
    if (head.states[entries.state[i]]?.runs === false) waiting += samples[i];
  }
  return all > 0 ? waiting / all : 0;
}

function missingList(missing) {
  if (!missing?.length) return null;
  const rows = missing.slice(0, MISSING_SHOWN)
                   .map(
                       (module) => element(
                           'li', {}, element('span', {class: 'code'}, visible(module.path)),
                           module.build_id ?
                               element('span', {class: 'dim'}, ` build-id ${module.build_id}`) :
                               null));
  const rest = missing.length - rows.length;
  return element(
      'div', {}, element('h3', {}, `${countText(missing.length, 'module')} not found`),
      element(
          'p', {class: 'dim'},
          'Their functions have no names, and their frames are found by worse ' +
              'means. Give the files with -e FILE or --sysroot DIR, or capture with --bundle.'),
      element(
          'ul', {class: 'missing'}, ...rows,
          rest > 0 ? element('li', {}, `and ${rest} more`) : null));
}

function qualityPanel(app) {
  const {head, model} = app;
  const {sum, byStop} = app.sums();
  let complete = 0;
  byStop.forEach((weight, stop) => {
    if (head.complete_stops.includes(stop)) complete += weight;
  });
  const stops = head.stops
                    .map((name, stop) => ({
                           name: stopWords(name),
                           title: visible(name),
                           value: byStop[stop],
                           kind: head.complete_stops.includes(stop) ? 'good' : 'poor'
                         }))
                    .filter((part) => part.value > 0)
                    .sort((a, b) => b.value - a.value);
  const kind = WEIGHT_NAMES[app.state.weight];
  const share = percentText(complete, sum);
  return panel(
      'How far it can be trusted',
      element(
          'p', {},
          complete >= sum && sum > 0 ?
              'All call chains are complete: they reach the start of their thread.' :
              `Of the ${kind}, ${
                  share} have a complete call chain, up to the start of the thread.`),
      complete >= sum ? null : partBar('Call chains by how they end', stops, sum),
      element('p', {}, `How callers were found, by ${kind}:`),
      partBar('Frames by how they were found', trustParts(model, app.sums()), null),
      missingList(head.missing));
}

function waitsPanel(app) {
  const parts = overviewWaits(app);
  return parts && panel('Waits', ...parts);
}

function changePanel(app) {
  const parts = overviewChange(app);
  return parts && panel('What changed', ...parts);
}

function topPanel(app) {
  const {model} = app;
  const matches = app.matches();
  const sleeps = app.sleepers();
  const {functionSelf, functionTotal, sum} = app.sums();
  const order =
      Array.from({length: model.functionCount}, (_, func) => func)
          .filter((func) => functionSelf[func] > 0 && (!matches || matches[func]))
          .sort((a, b) => functionSelf[b] - functionSelf[a] || functionTotal[b] - functionTotal[a])
          .slice(0, TOP);
  const rows = order.map(
      (func) => element(
          'tr', {},
          element(
              'td', {},
              element(
                  'button', {
                    type: 'button',
                    class: 'link code',
                    title: visible(model.functionLabel(func)).slice(0, 2000),
                    onclick: () => app.set({func, view: 'table'})
                  },
                  shortened(model.functionLabel(func), 50)),
              element(
                  'span', {class: 'dim'}, ` ${shortened(model.moduleOf(func)?.name ?? '', 30)}`),
              sleeps[func] ? element('span', {class: 'over-sleeps', title: SLEEPS_WORDS}, 'waits') :
                             null),
          element(
              'td', {class: 'number over-weight'},
              weightText(app.state.weight, functionSelf[func])),
          element('td', {class: 'number'}, shareText(functionSelf[func], sum)),
          element('td', {class: 'number'}, shareText(functionTotal[func], sum))));
  return panel(
      GOES[app.state.weight],
      matches ? element('p', {class: 'dim'}, 'Functions that the search matches.') : null,
      rows.length ?
          element(
              'div', {class: 'scroll'},
              element(
                  'table', {},
                  element(
                      'thead', {},
                      element(
                          'tr', {}, element('th', {}, 'Function'),
                          element('th', {class: 'number over-weight'}, 'Self'),
                          element('th', {class: 'number'}, 'Self %'),
                          element('th', {class: 'number'}, 'Total %'))),
                  element('tbody', {}, ...rows))) :
          element('p', {class: 'dim'}, matches ? 'None of them.' : 'Nothing is selected.'));
}

/** @param {import('./app.js').App} app */
export function createOverviewView(app, root) {
  function update() {
    replace(
        root, ...warnings(app),
        element(
            'div', {class: 'halves'},
            element('div', {class: 'stack'}, changePanel(app), topPanel(app), waitsPanel(app)),
            element('div', {class: 'stack'}, qualityPanel(app), capturePanel(app))));
  }
  update();
  return {update};
}
