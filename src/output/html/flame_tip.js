// SPDX-License-Identifier: MIT
/** What is said of one frame of a flame graph: beside the pointer, and to a screen reader. */
import {countText, deltaText, percentText, weightWords} from './amounts.js';
import {element, shortened, visible} from './dom.js';
import {FLAME_NARROW} from './flame_layout.js';
import {flameFullName} from './flame_names.js';
import {flameHeading, flameSides} from './flame_paint.js';
import {heaviestPlace} from './flame_weights.js';
import {changeOf} from './model.js';
import {trustWords} from './words.js';

/** "12 samples: 1.2 % of the selection, 40 % of its caller". */
function flameShares(app, stack, graph, rect) {
  const {layout} = graph;
  const weight = layout.weight[rect];
  const shares = [`${percentText(weight, stack.sum)} of the selection`];
  if (graph.threads) shares.unshift(`${percentText(weight, layout.weight[0])} of these threads`);
  const parent = layout.parent[rect];
  if (parent > 0) {
    const what = layout.invert ? 'of what it calls here' : 'of its caller here';
    shares.push(`${percentText(weight, layout.weight[parent])} ${what}`);
  }
  return `${weightWords(app.state.weight, weight)}: ${shares.join(', ')}`;
}

/** Both sides of a comparison, a sentence each; [] where there is none. */
function flameChanges(app, layout, rect) {
  if (!layout.hasOther) return [];
  const {weight} = app.state;
  const {now, nowSide, base, baseSide} = flameSides(app, layout, rect);
  const change = changeOf(now, nowSide, base, baseSide);
  const noise = change.noise ? ' (no more than two captures of one program may differ by)' : '';
  return [
    `now: ${weightWords(weight, now)}, ${percentText(now, nowSide.sum)}`,
    `baseline: ${weightWords(weight, base)}, ${percentText(base, baseSide.sum)}`,
    `change: ${deltaText(change.points).replace('%', '')} percentage points${noise}`,
  ];
}

/**
 * @returns {{name: string, where: string, told: string[]}} `where`: module, file and line, or ''
 */
export function flameWords(app, stack, {graph, rect}) {
  const {model} = app;
  const {layout} = graph;
  const func = layout.func[rect];
  if (rect === 0) return {name: flameHeading(app, stack, graph), where: '', told: []};
  if (func === FLAME_NARROW) {
    const what = layout.invert ? 'caller' : 'function';
    return {
      name: `${countText(layout.members[rect], what)} too narrow to be shown`,
      where: '',
      told: [flameShares(app, stack, graph, rect), ...flameChanges(app, layout, rect)]
    };
  }
  const place = heaviestPlace(model, graph.sums, layout, rect);
  const trust = app.state.colour === 'trust' ? app.head.trusts[layout.mark[rect]] : '';
  const told = [flameShares(app, stack, graph, rect), ...flameChanges(app, layout, rect)];
  if (trust) told.push(`found by: ${trustWords(trust)} (${trust})`);
  return {
    name: flameFullName(model, func),
    where: [model.moduleOf(func)?.path, place]
               .filter(Boolean)
               .map((text) => shortened(text, 300))
               .join(' · '),
    told
  };
}

/** Paragraphs for showTip(). */
export function flameTip(app, stack, target) {
  const {name, where, told} = flameWords(app, stack, target);
  return [
    element('p', {class: 'code'}, name),
    where ? element('p', {class: 'dim'}, where) : null,
    ...told.map((text) => element('p', {}, text)),
  ];
}

/** For say(): the name last shortened, since it is listened to. */
export function flameSaid(app, stack, target) {
  const {layout} = target.graph;
  const {name, where, told} = flameWords(app, stack, target);
  const [first, end] = layout.childrenOf(target.rect);
  let below = 0;
  for (let rect = first; rect < end; rect++) below += Math.max(1, layout.members[rect]);
  const what = layout.invert ? 'caller' : 'callee';
  return [
    shortened(name, 200), where, ...told, `level ${layout.rowOf(target.rect)}`,
    countText(below, what)
  ].filter(Boolean)
      .join('; ');
}

/** What a flame graph is to one who does not see it. */
export function flameSummary(app, stack) {
  const kind = app.state.invert ? 'Inverted flame graph, callees at the root' : 'Flame graph';
  if (!stack.graphs.length || !(stack.sum > 0)) return `${kind}: nothing is selected`;
  const {layout} = stack.graphs[0];
  const path = [];
  let rect = 0;
  for (let level = 0; level < 8; level++) {
    const [first, end] = layout.childrenOf(rect);
    if (first >= end || layout.func[first] < 0) break;
    path.push(`${shortened(visible(app.model.functionLabel(layout.func[first])), 80)} ${
        percentText(layout.weight[first], layout.weight[0])}`);
    rect = first;
  }
  const graphs = stack.graphs.length > 1 ? ` by ${stack.graphs.length} kinds of threads` : '';
  return `${kind}${graphs}: ${weightWords(app.state.weight, stack.sum)}. Heaviest: ${
      path.join(', ')}. Arrow keys move, Enter zooms in, Backspace zooms out, i inverts.`;
}
