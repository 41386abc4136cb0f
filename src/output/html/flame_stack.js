// SPDX-License-Identifier: MIT
/**
 * The flame graphs that are shown one below another: one of all threads, or one for each kind of
 * thread. Pure: rows and rectangles, nothing of the screen. A graph is summed up and laid out when
 * its rows are asked for.
 */
import {FlameLayout} from './flame_layout.js';
import {foldTrust, foldWeights} from './flame_weights.js';

/** Kinds of thread beyond so many share the last graph. */
const FLAME_MOST_KINDS = 40;

/** Rows left empty between graphs. */
const FLAME_ROWS_BETWEEN = 1;

/**
 * The kinds of threads of a selection: nodes of the hierarchy, heaviest first.
 * @returns {{name: string, threads: number[], weight: number}[]}
 */
export function threadKinds(model, selection) {
  const byThread = model.weighThreads(selection);
  const kinds = new Map();
  model.head.threads.forEach((thread, i) => {
    if (selection.threads && !selection.threads[i]) return;
    const key = thread.node ?? `name ${thread.name}`;
    const node = model.head.hierarchy?.[thread.node];
    const name = node?.label ?? node?.name ?? thread.name ?? '';
    if (!kinds.has(key)) kinds.set(key, {name, threads: [], weight: 0});
    const kind = kinds.get(key);
    kind.threads.push(i);
    kind.weight += byThread[i];
  });
  const sorted =
      [...kinds.values()].filter((kind) => kind.weight > 0).sort((a, b) => b.weight - a.weight);
  if (sorted.length <= FLAME_MOST_KINDS) return sorted;
  const rest = sorted.splice(FLAME_MOST_KINDS - 1);
  return [
    ...sorted, {
      name: `${rest.length} more kinds of threads`,
      threads: rest.flatMap((kind) => kind.threads),
      weight: rest.reduce((sum, kind) => sum + kind.weight, 0)
    }
  ];
}

/** One graph: what its root is called, and its layout once it is needed. */
class FlameGraph {
  constructor(name, threads, make) {
    this.name = name;
    this.threads = threads;  // how many; 0: not told
    this.row = 0;            // where it begins
    this.make = make;
    this.made = null;
  }

  /** @returns {{sums: import('./model.js').Sums, layout: FlameLayout}} */
  get() {
    this.made ??= this.make();
    return this.made;
  }

  get layout() {
    return this.get().layout;
  }

  get sums() {
    return this.get().sums;
  }
}

export class FlameStack {
  /**
   * @param {import('./model.js').Model} model
   * @param {object} what
   * @param {import('./model.js').Sums} what.sums         of the selection, on the shown side
   * @param {import('./model.js').Sums|null} what.other   of the other side of a comparison
   * @param {import('./model.js').Selection} what.selection
   * @param {boolean} what.byKind    a graph for each kind of thread; the baseline has no threads
   * @param {boolean} what.trust     carry how frames were found
   * @param {number} what.pixels
   * @param {boolean} what.invert
   * @param {number[]} what.zoom
   */
  constructor(model, {sums, other, selection, byKind, trust, pixels, invert, zoom}) {
    const lay = (shown, base) => new FlameLayout(model, foldWeights(model, shown), {
      other: base && foldWeights(model, base),
      marks: trust ? foldTrust(model, shown) : null,
      pixels,
      invert,
      zoom
    });
    this.sum = sums.sum;
    this.graphs = byKind ? threadKinds(model, selection)
                               .map(
                                   ({name, threads}) => new FlameGraph(
                                       name, threads.length,
                                       () => {
                                         const chosen = new Uint8Array(model.head.threads.length);
                                         for (const thread of threads) chosen[thread] = 1;
                                         const own = model.sums({...selection, threads: chosen});
                                         return {sums: own, layout: lay(own, null)};
                                       })) :
                           [new FlameGraph('all', 0, () => ({sums, layout: lay(sums, other)}))];
    /** Graphs that have their place, and rows up to the end of the last of them. */
    this.placed = 0;
    this.rows = 0;
    this.isDone = this.graphs.length === 0;
  }

  /** Lays out what is in rows up to `rows`. */
  grow(rows) {
    while (!this.isDone && this.rows < rows) {
      const isOpen = this.placed > 0 && !this.graphs[this.placed - 1].layout.isDone;
      const graph = this.graphs[isOpen ? this.placed - 1 : this.placed];
      if (!isOpen) {
        graph.row = this.placed ? this.rows + FLAME_ROWS_BETWEEN : 0;
        this.placed++;
      }
      graph.layout.grow(Math.max(1, rows - graph.row));
      this.rows = graph.row + graph.layout.rows;
      this.isDone = this.placed === this.graphs.length && graph.layout.isDone;
    }
  }

  /** Graphs that have a row in [first, end), of those that have their place. */
  between(first, end) {
    return this.graphs.slice(0, this.placed)
        .filter((graph) => graph.row < end && graph.row + graph.layout.rows > first);
  }

  /** The rectangle in a row of all, `part` of the width from the left. */
  at(row, part) {
    for (const graph of this.between(row, row + 1)) {
      const {layout} = graph;
      const rect = layout.rectAt(row - graph.row, part * layout.scale);
      if (rect >= 0) return {graph, rect};
    }
    return null;
  }
}
