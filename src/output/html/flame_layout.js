// SPDX-License-Identifier: MIT
/**
 * Where the frames of a flame graph are: from weights by node of the fold to rectangles in rows.
 *
 * Rectangles are in units of weight, not of pixels: a frame is as wide as what it weighs. Only
 * those that are seen are made: what would be less than half a pixel wide is summed up in one
 * narrow rectangle behind its siblings, so that the widths of what is below a frame still add up,
 * and nothing is expanded below it. Rows are made as they are asked for (`grow`): ten thousand
 * levels of recursion cost what is looked at of them.
 *
 * Zoomed in, the frames of the path to the one that fills the width are each as wide as it, though
 * they weigh more: rectangles 0 to `above`, one a row.
 */

/** In place of a function: everything, the root of a graph. */
const FLAME_ROOT = -1;

/** In place of a function: siblings too narrow to be shown, together. */
export const FLAME_NARROW = -2;

const FLAME_LEAST_PIXELS = 0.5;

/** Rows are no longer added beyond so many rectangles: some 200 MB. */
const FLAME_MOST_RECTANGLES = 4e6;

/** A typed array with room for more. */
function flameRoom(array, count) {
  if (count <= array.length) return array;
  const larger = new array.constructor(Math.max(count, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * What is one level further in from a frame: functions with what they weigh. Two ways to make it
 * fill one of these.
 */
class FlameGroups {
  constructor() {
    this.count = 0;
    this.func = new Int32Array(64);
    this.weight = new Float64Array(64);
    this.other = new Float64Array(64);
    this.mark = new Uint8Array(64);
    this.key = new Int32Array(64);
    this.size = new Int32Array(64);
  }

  clear() {
    this.count = 0;
  }

  add(func, weight, other) {
    const at = this.count++;
    for (const name of ['func', 'weight', 'other', 'mark', 'key', 'size'])
      if (at >= this[name].length) this[name] = flameRoom(this[name], at + 1);
    this.func[at] = func;
    this.weight[at] = weight;
    this.other[at] = other;
    this.mark[at] = 0;
    this.key[at] = 0;
    this.size[at] = 0;
    return at;
  }
}

/**
 * @typedef {object} FlameWeights
 * @property {Float64Array} self    by node of the fold: of chains that end there
 * @property {Float64Array} total   by node of the fold: of chains that go through it
 */

/** From callers to callees: a frame is a node of the fold, its key. */
class CalleeSource {
  constructor(model, shown, other, marks) {
    this.fold = model.fold;
    this.children = model.foldChildren();
    this.shown = shown.total;
    this.other = other?.total ?? null;
    this.marks = marks;
    this.groups = new FlameGroups();
  }

  root() {
    return {key: 0, weight: this.shown[0], other: this.other ? this.other[0] : 0};
  }

  /** The functions called by the frame with this key; by `only` alone if it is one. */
  split(key, only) {
    const {groups, shown, other, marks} = this;
    const {start, list} = this.children;
    groups.clear();
    for (let i = start[key]; i < start[key + 1]; i++) {
      const node = list[i];
      if (!(shown[node] > 0)) continue;
      if (only !== null && this.fold.func[node] !== only) continue;
      const at = groups.add(this.fold.func[node], shown[node], other ? other[node] : 0);
      groups.key[at] = node;
      if (marks) groups.mark[at] = marks[node];
    }
    return groups;
  }

  /** The keys of the groups that are shown, in the order in which they are. */
  keep(kept) {
    return kept.map((at) => this.groups.key[at]);
  }

  endRow() {}
}

/** How many kinds of marks there may be (ways in which a frame was found). */
const MARK_KINDS = 16;

/**
 * From callees to callers. A frame is a list of nodes of the fold, one for each way out from it,
 * each with what the chains weigh that end where the frame's path begins. One level further is the
 * parents of these nodes, by function. Lists of one row are ranges of three arrays, in which nodes
 * are already those of the next level (0: the chain has begun); a key is the index of a range.
 * Those of the row before are needed no more once a row is made.
 */
class CallerSource {
  constructor(model, shown, other, marks) {
    this.fold = model.fold;
    this.marks = marks;
    this.groups = new FlameGroups();
    this.slot = new Int32Array(model.functionCount).fill(-1);
    this.votes = new Float64Array(MARK_KINDS);
    this.row = this.ends(shown.self, other?.self ?? null);
    this.next = this.emptyRow();
    this.all = {key: 0, weight: shown.total[0], other: other ? other.total[0] : 0};
  }

  root() {
    return this.all;
  }

  /** The row of the root: where chains end. */
  ends(shown, other) {
    const isEnd = (node) => shown[node] > 0 || (other !== null && other[node] > 0);
    let count = 0;
    for (let node = 1; node < shown.length; node++) count += Number(isEnd(node));
    const row = {
      node: new Int32Array(count),
      weight: new Float64Array(count),
      other: other && new Float64Array(count),
      start: [0],
      end: [count],
      used: count,
    };
    for (let node = 1, at = 0; node < shown.length; node++) {
      if (!isEnd(node)) continue;
      row.node[at] = node;
      row.weight[at] = shown[node];
      if (other) row.other[at] = other[node];
      at++;
    }
    return row;
  }

  /** No row has more entries than the one before. */
  emptyRow() {
    const {used, other} = this.row;
    return {
      node: new Int32Array(used),
      weight: new Float64Array(used),
      other: other && new Float64Array(used),
      start: [],
      end: [],
      used: 0
    };
  }

  split(key, only) {
    const {groups, slot} = this;
    const {node: nodes, weight, other, start, end} = this.row;
    const {func: funcOf} = this.fold;
    this.key = key;
    groups.clear();
    for (let i = start[key]; i < end[key]; i++) {
      const node = nodes[i];
      if (node === 0) continue;
      const func = funcOf[node];
      if (only !== null && func !== only) continue;
      let at = slot[func];
      if (at < 0) at = slot[func] = groups.add(func, 0, 0);
      groups.weight[at] += weight[i];
      if (other) groups.other[at] += other[i];
      groups.size[at]++;
    }
    for (let at = 0; at < groups.count; at++) slot[groups.func[at]] = -1;
    return groups;
  }

  /** Makes lists of the groups that are shown, for the next row. */
  keep(kept) {
    const {groups, slot, next} = this;
    const first = next.start.length;
    for (const at of kept) {
      slot[groups.func[at]] = next.start.length;
      next.start.push(next.used);
      next.end.push(next.used);
      next.used += groups.size[at];
    }
    if (kept.length) this.fillLists();
    for (const at of kept) slot[groups.func[at]] = -1;
    if (this.marks) kept.forEach((at, i) => (groups.mark[at] = this.markOf(first + i)));
    return kept.map((_, i) => first + i);
  }

  /** No two ways of a list meet: a node and functions on the way from it lead to one node. */
  fillLists() {
    const {slot, row} = this;
    const {node: nodes, weight, other} = row;
    const {node: into, weight: intoWeight, other: intoOther, end} = this.next;
    const {func: funcOf} = this.fold;
    for (let i = row.start[this.key]; i < row.end[this.key]; i++) {
      const node = nodes[i];
      const list = node === 0 ? -1 : slot[funcOf[node]];
      if (list < 0) continue;
      const at = end[list]++;
      into[at] = node;
      intoWeight[at] = weight[i];
      if (intoOther) intoOther[at] = other[i];
    }
  }

  /** The mark that most of a list's weight has. */
  markOf(list) {
    const {next, votes} = this;
    votes.fill(0);
    for (let i = next.start[list]; i < next.end[list]; i++)
      votes[this.marks[next.node[i]]] += next.weight[i];
    return votes.indexOf(Math.max(...votes));
  }

  endRow() {
    const {parent} = this.fold;
    const {node, used} = this.next;
    for (let i = 0; i < used; i++) node[i] = parent[node[i]];
    const before = this.row;
    this.row = this.next;
    this.next = {...before, start: [], end: [], used: 0};
  }
}

export class FlameLayout {
  /**
   * @param {import('./model.js').Model} model
   * @param {FlameWeights} shown   widths are of these
   * @param {object} how
   * @param {FlameWeights|null} [how.other]  the other side of a comparison, carried along
   * @param {Uint8Array|null} [how.marks]    by node of the fold, below 16: carried along;
   *   inverted, a frame has the mark that most of its weight has
   * @param {number} how.pixels              the width
   * @param {boolean} [how.invert]           callees at the root
   * @param {number[]} [how.zoom]            functions from the root to the frame that fills it
   */
  constructor(model, shown, {other = null, marks = null, pixels, invert = false, zoom = []}) {
    const Source = invert ? CallerSource : CalleeSource;
    this.source = new Source(model, shown, other, marks);
    this.invert = invert;
    this.hasOther = !!other;
    this.count = 0;
    this.start = new Float64Array(256);
    this.weight = new Float64Array(256);
    this.other = new Float64Array(256);
    this.func = new Int32Array(256);
    this.parent = new Int32Array(256);
    this.key = new Int32Array(256);
    this.members = new Int32Array(256);  // of a narrow rectangle: how many functions it stands for
    this.mark = new Uint8Array(256);
    /** Rectangles of row r: rowStart[r] up to rowStart[r + 1]. */
    this.rowStart = [0];
    this.isDone = false;
    this.isCut = false;
    const {key, weight, other: otherWeight} = this.source.root();
    this.add(FLAME_ROOT, -1, 0, weight, otherWeight, 0, key, 0);
    this.rowStart.push(1);
    /** The last of the rectangles that fill the width, and what it weighs. */
    this.above = 0;
    this.scale = weight;
    /** false: there is nothing of the frame that was to fill the width. */
    this.isFound = this.zoomTo(zoom);
    if (!this.isFound || this.scale <= 0) this.isDone = true;
    this.least = this.scale * FLAME_LEAST_PIXELS / Math.max(1, pixels);
  }

  get rows() {
    return this.rowStart.length - 1;
  }

  /** What is in the way of the frame that fills the width: one rectangle a row. */
  zoomTo(zoom) {
    for (const func of zoom) {
      const last = this.count - 1;
      const groups = this.source.split(this.key[last], func);
      if (!groups.count || !(groups.weight[0] > 0)) return false;
      const [key] = this.source.keep([0]);
      const {weight, other, mark} = groups;
      this.add(func, last, 0, weight[0], other[0], mark[0], key, 0);
      this.source.endRow();
      this.rowStart.push(this.count);
      this.above = last + 1;
      this.scale = weight[0];
    }
    return true;
  }

  add(func, parent, start, weight, other, mark, key, members) {
    const at = this.count++;
    if (at >= this.func.length)
      for (const name of ['start', 'weight', 'other', 'func', 'parent', 'key', 'members', 'mark'])
        this[name] = flameRoom(this[name], at + 1);
    this.func[at] = func;
    this.parent[at] = parent;
    this.start[at] = start;
    this.weight[at] = weight;
    this.other[at] = other;
    this.mark[at] = mark;
    this.key[at] = key;
    this.members[at] = members;
  }

  /** Makes rows up to so many, if there are. */
  grow(rows) {
    while (!this.isDone && this.rows < rows) {
      const first = this.rowStart[this.rows - 1];
      const end = this.count;
      for (let rect = first; rect < end; rect++)
        if (this.func[rect] !== FLAME_NARROW) this.expand(rect);
      this.source.endRow();
      this.isCut = this.count > FLAME_MOST_RECTANGLES;
      this.isDone = this.count === end || this.isCut;
      if (this.count > end) this.rowStart.push(this.count);
    }
    return this;
  }

  /** Adds what is below a rectangle, heaviest first, those too narrow to be seen as one. */
  expand(rect) {
    const groups = this.source.split(this.key[rect], null);
    const {func, weight, other, mark} = groups;
    const kept = [];
    let [narrow, narrowOther, members] = [0, 0, 0];
    for (let at = 0; at < groups.count; at++) {
      if (weight[at] >= this.least && weight[at] > 0) {
        kept.push(at);
      } else if (weight[at] > 0) {
        narrow += weight[at];
        narrowOther += other[at];
        members++;
      }
    }
    if (kept.length > 1) kept.sort((a, b) => weight[b] - weight[a] || func[a] - func[b]);
    const keys = this.source.keep(kept);
    let start = this.start[rect];
    for (let i = 0; i < kept.length; i++) {
      const at = kept[i];
      this.add(func[at], rect, start, weight[at], other[at], mark[at], keys[i], 0);
      start += weight[at];
    }
    if (members) this.add(FLAME_NARROW, rect, start, narrow, narrowOther, 0, 0, members);
  }

  /** How wide a rectangle is, in units of weight: of these `scale` fill the width. */
  width(rect) {
    return rect <= this.above ? this.scale : this.weight[rect];
  }

  rowOf(rect) {
    let [low, high] = [0, this.rows - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rowStart[middle] <= rect)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  /** The rectangle of a row at a place, in units of weight from the left; or -1. */
  rectAt(row, place) {
    if (row < 0 || row >= this.rows) return -1;
    let low = this.rowStart[row];
    let high = this.rowStart[row + 1] - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start[middle] <= place)
        low = middle;
      else
        high = middle - 1;
    }
    const inside = place >= this.start[low] && place < this.start[low] + this.width(low);
    return inside ? low : -1;
  }

  /** Functions from the root to a rectangle; a narrow one's is its parent's. */
  pathOf(rect) {
    const path = [];
    for (let at = rect; at > 0; at = this.parent[at])
      if (this.func[at] >= 0) path.push(this.func[at]);
    return path.reverse();
  }

  /** The first and the one behind the last of the rectangles below a rectangle, as far as made. */
  childrenOf(rect) {
    const row = this.rowOf(rect) + 1;
    if (row >= this.rows) return [0, 0];
    const [first, end] = [this.rowStart[row], this.rowStart[row + 1]];
    const below = (parent) => {
      let [low, high] = [first, end];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.parent[middle] < parent)
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    return [below(rect), below(rect + 1)];
  }

  /** The rectangle at the end of a path of functions, or the last on the way to it that is made. */
  find(path) {
    let rect = 0;
    for (const func of path) {
      const [first, end] = this.childrenOf(rect);
      let child = first;
      while (child < end && this.func[child] !== func) child++;
      if (child >= end) break;
      rect = child;
    }
    return rect;
  }
}
