// SPDX-License-Identifier: MIT
/**
 * Rows of the view of threads, and their figures: kinds of threads as a tree with their threads, or
 * sorted all threads by themselves.
 */
import {PIECE_STATES} from './pieces.js';

const FEW_THREADS = 40;  // of which all are open at first

/**
 * @typedef {object} ThreadRow
 * @property {string} key
 * @property {number} node      index into head.hierarchy, or -1
 * @property {number[]} threads  those that its figures are of; none: it only has others below it
 * @property {number} depth
 * @property {boolean|null} open  whether its threads follow; null: it is a thread by itself
 * @property {boolean} [inKind]   its kind is the row above
 * @property {string} process   its pid, where a process begins and there are several; else ""
 */

/** Threads by node of the hierarchy; those of no node are at -1. */
function threadsByNode(head) {
  const lists = new Map();
  head.threads.forEach(({node}, thread) => {
    const key = node ?? -1;
    if (!lists.has(key)) lists.set(key, []);
    lists.get(key).push(thread);
  });
  return lists;
}

/** The tree. @param {Map<number, boolean>} opened  nodes that were opened or closed */
export function treeRows(head, opened) {
  const lists = threadsByNode(head);
  const nodes = head.hierarchy ?? [];
  const few = head.threads.length <= FEW_THREADS;
  const several = new Set(nodes.map(({pid}) => pid)).size > 1;
  const depths = [];
  const rows = [];
  nodes.forEach((known, node) => {
    const threads = lists.get(node) ?? [];
    const depth = depths[node] = known.parent >= 0 ? depths[known.parent] + 1 : 0;
    const alone = threads.length === 1;
    const open = alone || !threads.length ? null : opened.get(node) ?? few;
    const first = several && (node === 0 || nodes[node - 1].pid !== known.pid);
    rows.push({
      key: alone ? `t${threads[0]}` : `n${node}`,
      node,
      threads,
      depth,
      open,
      process: first ? `process ${known.pid}` : ''
    });
    if (open)
      for (const thread of threads)
        rows.push({...threadRow(thread, node, depth + 1), inKind: true});
  });
  for (const thread of lists.get(-1) ?? []) rows.push(threadRow(thread, -1, 0));
  return rows;
}

function threadRow(thread, node, depth) {
  return {key: `t${thread}`, node, threads: [thread], depth, open: null, process: ''};
}

/** All threads, by a figure of each; the greatest first, or (`ascending`) last. */
export function sortedRows(head, figure, ascending) {
  const values = head.threads.map((_, thread) => figure(thread));
  return head.threads.map(({node}, thread) => threadRow(thread, node ?? -1, 0)).sort((a, b) => {
    const order = values[b.threads[0]] - values[a.threads[0]];
    return (ascending ? -order : order) || a.threads[0] - b.threads[0];
  });
}

/** Sums of pieces by state, over threads. @param {Float64Array} byThread  of Pieces.sumThreads */
export function statesOf(byThread, threads) {
  const count = PIECE_STATES.length;
  const sums = new Float64Array(count);
  for (const thread of threads)
    for (let state = 0; state < count; state++) sums[state] += byThread[thread * count + state];
  return sums;
}

/** A figure of the whole capture, over threads. */
export function sumWhole(head, threads, name) {
  return threads.reduce((sum, thread) => sum + (head.threads[thread][name] ?? 0), 0);
}

/** From when to when threads were there; null: before the capture began, or after its end. */
export function lifeOf(head, threads) {
  let begin = Infinity;
  let end = -Infinity;
  for (const thread of threads) {
    const {begin_ns: from, end_ns: to} = head.threads[thread];
    begin = Math.min(begin, from ?? -Infinity);
    end = Math.max(end, to ?? Infinity);
  }
  return {begin: Number.isFinite(begin) ? begin : null, end: Number.isFinite(end) ? end : null};
}
