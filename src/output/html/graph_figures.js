// SPDX-License-Identifier: MIT
/**
 * What the boxes and arrows of the call graph say of a selection: texts, colours and widths, as
 * src/output/dot.c computes them of the whole capture. Knows no DOM.
 */
import {basisPoints, deltaText, shareText, weightText} from './amounts.js';
import {changeOf} from './model.js';

// From cold to hot, for shares 0, 1/2 and 1; black text can be read on each fill.
const GRAPH_FILL = [[242, 244, 247], [253, 222, 170], [243, 144, 112]];
const GRAPH_LINE = [[140, 148, 158], [196, 128, 48], [178, 52, 28]];

// The same for what is more and what is less than in the baseline.
const MORE_FILL = [[244, 244, 244], [250, 205, 196], [238, 122, 108]];
const MORE_LINE = [[148, 148, 148], [204, 92, 76], [176, 32, 24]];
const LESS_FILL = [[244, 244, 244], [198, 216, 250], [116, 160, 238]];
const LESS_LINE = [[148, 148, 148], [84, 124, 204], [28, 72, 184]];

/** A colour of a scale, "#f39070". */
function shadeOf(scale, points) {
  const low = points < 5000 ? 0 : 1;
  const part = points < 5000 ? points : points - 5000;
  const mix = (i) => Math.floor((scale[low][i] * (5000 - part) + scale[low + 1][i] * part) / 5000);
  return '#' + [0, 1, 2].map((i) => mix(i).toString(16).padStart(2, '0')).join('');
}

/** How a share changed; small changes have to be seen, too. */
function shadeChange(more, less, points) {
  return shadeOf(points < 0 ? less : more, Math.floor(Math.sqrt(Math.abs(points) * 10000)));
}

/**
 * @typedef {object} FigureContext
 * @property {string} weight
 * @property {number} sum            of the selection: shares are of it
 * @property {number} carriers       samples that it is made of; 0: not known
 * @property {number|null} baseSum   of the baseline; null: nothing is compared
 * @property {number} baseCarriers
 * @property {boolean} hasCalls      of a trace: numbers of calls
 */

/** "45.1%" */
function graphShareText(part, total) {
  const tenths = Math.floor((basisPoints(part, total) + 5) / 10);
  return `${Math.floor(tenths / 10)}.${tenths % 10}%`;
}

/** "45.1% (123)" */
export function graphValueText(context, value) {
  return `${graphShareText(value, context.sum)} (${weightText(context.weight, value)})`;
}

function graphCallsText(count) {
  return `${weightText('calls', count)} call${Math.round(count) === 1 ? '' : 's'}`;
}

/** "+3.21%", "+0.21%~" */
function graphChangeText({points, noise}) {
  return deltaText(points) + (noise ? '~' : '');
}

function changeIn(context, value, base) {
  return changeOf(
      value, context, base, {sum: context.baseSum ?? 0, carriers: context.baseCarriers});
}

/**
 * Of a function's box: its lines below the name, and colours.
 * @param {FigureContext} context
 * @param {{self: number, total: number, baseTotal: number, isThread: boolean}} node
 * @returns {{lines: string[], fill: string, line: string}}
 */
export function nodeFigures(context, node) {
  const {self, total, baseTotal, isThread} = node;
  const compares = context.baseSum !== null;
  const lines = [];
  if (total <= 0 && !compares) {
    lines.push('');
  } else if (context.hasCalls) {
    lines.push(graphCallsText(self));
  } else {
    const isSelf = self === total && !isThread && (total > 0 || compares);
    lines.push(graphValueText(context, total) + (isSelf ? ' self' : ''));
    if (!isSelf && self > 0) lines.push(`self ${graphValueText(context, self)}`);
  }
  if (!compares) {
    const points = basisPoints(total, context.sum);
    return {lines, fill: shadeOf(GRAPH_FILL, points), line: shadeOf(GRAPH_LINE, points)};
  }
  const change = changeIn(context, total, baseTotal);
  const shown = change.noise ? 0 : change.points;
  if (!context.hasCalls)
    lines.push(`${graphChangeText(change)}, was ${shareText(baseTotal, context.baseSum)} (${
        weightText(context.weight, baseTotal)})`);
  return {
    lines,
    fill: shadeChange(MORE_FILL, LESS_FILL, shown),
    line: shadeChange(MORE_LINE, LESS_LINE, shown)
  };
}

/**
 * Of an arrow: its label, width in points, and colour. @param {FigureContext} context
 * @param {{weight: number, calls: number, base: number}} edge
 */
export function edgeFigures(context, edge) {
  const {weight, calls, base} = edge;
  const compares = context.baseSum !== null;
  const before = context.baseSum > 0 ? Math.floor((base / context.baseSum) * context.sum) : base;
  const points = basisPoints(compares ? Math.max(weight, before) : weight, context.sum);
  const width = (60 + Math.floor((44 * points) / 1000)) / 100;
  const kind = context.hasCalls ? 'calls' : context.weight;
  const value = context.hasCalls ? calls : weight;
  if (!compares)
    return {
      label: value > 0 ? weightText(kind, value) : '',
      width,
      line: shadeOf(GRAPH_LINE, points)
    };
  const change = changeIn(context, weight, base);
  return {
    label: graphChangeText(change),
    width,
    line: shadeChange(MORE_LINE, LESS_LINE, change.noise ? 0 : change.points)
  };
}

/**
 * Which nodes of the trie weigh an arrow between two of the functions that a picture shows: those
 * in between are passed over, and an arrow that is on a path several times is weighed once, as
 * src/graph/walk.c has it. Made once for a picture.
 * @param {Iterable<number>} shown  functions
 * @param {[number, number][]} edges  caller and callee
 * @returns {{weighs: Int32Array, calls: Int32Array}} by node of the trie an index into `edges`, or
 *   -1: the node's total counts for the edge's weight, its self for the edge's calls
 */
export function placeEdges(model, shown, edges) {
  const {trie, functionOf, functionCount} = model;
  const kept = new Uint8Array(functionCount);
  for (const func of shown) kept[func] = 1;
  const known = new Map(edges.map(([from, to], edge) => [from * functionCount + to, edge]));
  const weighs = new Int32Array(trie.count).fill(-1);
  const calls = new Int32Array(trie.count).fill(-1);
  const top = new Int32Array(trie.count).fill(-1);  // the innermost function shown on the path
  const gap = new Uint8Array(trie.count);           // others lie between it and the node
  const path = new Int32Array(trie.count);
  const onPath = new Int32Array(edges.length);
  let length = 0;
  for (let node = 1; node < trie.count; node++) {
    while (length >= trie.depth[node]) {
      const left = calls[path[--length]];
      if (left >= 0) onPath[left]--;
    }
    path[length++] = node;
    const func = functionOf[node];
    const outer = trie.parent[node];
    top[node] = kept[func] ? func : top[outer];
    gap[node] = Number(!kept[func]);
    if (!kept[func] || top[outer] < 0 || (gap[outer] && top[outer] === func)) continue;
    const edge = known.get(top[outer] * functionCount + func) ?? -1;
    calls[node] = edge;
    if (edge >= 0 && onPath[edge]++ === 0) weighs[node] = edge;
  }
  return {weighs, calls};
}

/** Sums by edge. @param places of placeEdges @param {import('./model.js').Sums} sums */
export function weighEdges(places, sums, count) {
  const weight = new Float64Array(count);
  const calls = new Float64Array(count);
  for (let node = 1; node < places.weighs.length; node++) {
    if (places.weighs[node] >= 0) weight[places.weighs[node]] += sums.total[node];
    if (places.calls[node] >= 0) calls[places.calls[node]] += sums.self[node];
  }
  return {weight, calls};
}
