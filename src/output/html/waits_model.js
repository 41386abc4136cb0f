// SPDX-License-Identifier: MIT
/**
 * Who waited for what, and who held it, from the pieces of time in which threads waited.
 *
 * Who holds an object is read off it by those that wait for it, each at moments. So it is known
 * only while somebody waits, and of several that wait the one that looked last is believed.
 */

/** Kinds of waits that are not for an object that the page knows, and what gives them. */
const LOCK_KINDS = new Set(['mutex', 'rwlock (read)', 'rwlock (write)', 'once']);
const THREAD_KINDS = new Set(['condition', 'semaphore', 'barrier', 'join', 'futex']);

/**
 * @typedef {object} Wait  a stretch in which samples found a thread waiting for one thing
 * @property {number} thread
 * @property {number} first  of its pieces, which follow each other
 * @property {number} last
 * @property {number} from   ns, within the selection
 * @property {number} to
 *
 * @typedef {object} Waited  what was waited for, summed over a selection
 * @property {number} thing  its number: that of an object, or of a kind behind them
 * @property {number|null} object  index into head.objects; null: only the kind is known
 * @property {string} kind
 * @property {string} group  'lock', 'threads' (what else threads give), 'outside'
 * @property {number} from @property {number} to  the selection's time
 * @property {number} ns @property {number} longest
 * @property {Wait[]} waits  by thread, then time
 * @property {Map<number, {ns: number, count: number, longest: number}>} threads
 * @property {Episode[]} [episodes]  once they are known
 *
 * @typedef {object} Holder
 * @property {number} thread   index into head.threads, or -1
 * @property {number} tid      of a thread that the page does not have, or 0
 * @property {number} readers  how many hold it, where none is named, or 0; -1: some
 *
 * @typedef {object} Episode  one holder while others waited
 * @property {Holder} holder
 * @property {number} from @property {number} to  ns
 * @property {boolean} inferred  no wait has read it off the object
 * @property {number} waiters  at one time, at the most
 */

/** 'lock', 'threads' or 'outside'. */
export function groupOfKind(kind) {
  if (LOCK_KINDS.has(kind)) return 'lock';
  return THREAD_KINDS.has(kind) ? 'threads' : 'outside';
}

/** Who holds what a wait is for; null: it does not tell. @returns {Holder|null} */
export function holderOf(wait) {
  if (wait.owner !== undefined) return {thread: wait.owner, tid: 0, readers: 0};
  if (wait.owner_tid) return {thread: -1, tid: wait.owner_tid, readers: 0};
  return wait.readers ? {thread: -1, tid: 0, readers: wait.readers} : null;
}

/**
 * Who is believed to hold something: whom the piece that began last tells, as long as it lasts, or
 * one that tells the same and began since another was told. As src/threads/blocking/wait_holds.c.
 */
class Belief {
  /** @param {number} count  of all pieces */
  constructor(count) {
    this.holder = null;
    this.turn = 0;  // counts holders
    this.turnOf = new Uint32Array(count);
    this.telling = 0;  // pieces that last and tell the holder
  }

  begin(piece, holder) {
    if (holder !== this.holder || !this.telling) {
      this.holder = holder;
      this.telling = 0;
      this.turn++;
    }
    this.turnOf[piece] = this.turn;
    this.telling++;
  }

  end(piece) {
    if (this.turnOf[piece] === this.turn && --this.telling === 0) this.holder = null;
  }
}

/** Holders of waits; those that are the same are one. @returns {(Holder|null)[]} */
function findHolders(waits) {
  const known = new Map();
  return waits.map((wait) => {
    const holder = holderOf(wait);
    const key = JSON.stringify(holder);
    if (!known.has(key)) known.set(key, holder);
    return known.get(key);
  });
}

export class WaitsModel {
  /** @param {Record<string, any>} head @param {import('./pieces.js').Pieces} pieces */
  constructor(head, pieces) {
    this.head = head;
    this.pieces = pieces;
    this.waits = head.waits ?? [];
    this.objects = head.objects ?? [];
    this.holderOfWait = findHolders(this.waits);
    // By wait: what is waited for, as a number: objects, then kinds of what is not known.
    const kinds = [...new Set(this.waits.map((wait) => wait.kind))];
    /** @type {any[]} */
    this.things = [
      ...this.objects.map(
          ({kind, group}, object) => ({object, kind, group: group ?? groupOfKind(kind)})),
      ...kinds.map((kind) => ({object: null, kind, group: groupOfKind(kind)})),
    ];
    this.thingOf = Uint32Array.from(
        this.waits.map((wait) => wait.object ?? this.objects.length + kinds.indexOf(wait.kind)));
  }

  /** What a piece waits for, or null. */
  waitOf(piece) {
    const wait = this.pieces.wait[piece];
    return wait ? this.waits[wait - 1] ?? null : null;
  }

  /** The thing that a piece waits for, or -1. */
  thing(piece) {
    const wait = this.pieces.wait[piece];
    return wait && this.pieces.state[piece] >= 2 ? this.thingOf[wait - 1] ?? -1 : -1;
  }

  newWaited(thing, {from, to}) {
    return {
      ...this.things[thing],
      thing,
      from,
      to,
      ns: 0,
      longest: 0,
      waits: [],
      threads: new Map()
    };
  }

  /**
   * What was waited for in a selection, the most time first.
   * @param {import('./pieces.js').PieceSelection} selection @returns {Waited[]}
   */
  waited(selection) {
    const {pieces} = this;
    const found = [];
    let open = null;  // the wait at hand, and what it is for
    let openThing = -1;
    pieces.eachOf(selection, (piece, ns, thread) => {
      const thing = this.thing(piece);
      if (thing < 0) return;
      const from = Math.max(pieces.begin[piece], selection.from);
      const goesOn = open && openThing === thing && open.thread === thread &&
          open.last + 1 === piece && pieces.goesOn(piece);
      if (!goesOn) {
        open = {thread, first: piece, last: piece, from, to: from};
        openThing = thing;
        (found[thing] ??= this.newWaited(thing, selection)).waits.push(open);
      }
      open.last = piece;
      open.to = from + ns;
    });
    const list = found.filter(Boolean);
    list.forEach(sumWaits);
    return list.sort((a, b) => b.ns - a.ns || a.thing - b.thing);
  }

  /**
   * Who held something when, while others waited for it, in the order of time.
   * @param {Waited} waited @returns {Episode[]}
   */
  episodes(waited) {
    const {pieces} = this;
    const {begin, end} = pieces;
    const isIn = new Uint8Array(pieces.count);
    for (const {first, last} of waited.waits) isIn.fill(1, first, last + 1);
    const begins = pieces.byBegin().filter((piece) => isIn[piece]);
    const ends = pieces.byEnd().filter((piece) => isIn[piece]);
    const beginOf = (i) => i < begins.length ? Math.max(begin[begins[i]], waited.from) : Infinity;
    const endOf = (i) => (i < ends.length ? Math.min(end[ends[i]], waited.to) : Infinity);
    const belief = new Belief(pieces.count);
    const list = [];
    let inferred = false;
    for (let b = 0, e = 0; e < ends.length;) {
      const time = Math.min(beginOf(b), endOf(e));
      for (; endOf(e) <= time; e++) belief.end(ends[e]);
      for (; beginOf(b) <= time; b++) {
        belief.begin(begins[b], this.holderOfWait[pieces.wait[begins[b]] - 1]);
        inferred = !!this.waitOf(begins[b]).owner_inferred;
      }
      if (!belief.holder) continue;
      const to = Math.min(beginOf(b), endOf(e));
      addEpisode(list, {holder: belief.holder, from: time, to, inferred, waiters: b - e});
    }
    return list;
  }

  /**
   * The same, summed by holder, the longest first.
   * @returns {{holder: Holder, ns: number, count: number, longest: number, inferred: boolean,
   *   intervals: [number, number][]}[]}
   */
  holders(episodes) {
    const found = new Map();
    for (const {holder, from, to, inferred} of episodes) {
      const key = holder.thread >= 0 ? holder.thread : holder.tid ? `t${holder.tid}` : 'readers';
      if (!found.has(key))
        found.set(key, {
          holder: holder.readers ? {...holder, readers: -1} : holder,
          ns: 0,
          count: 0,
          longest: 0,
          inferred: true,
          intervals: []
        });
      const sum = found.get(key);
      sum.ns += to - from;
      sum.count++;
      sum.longest = Math.max(sum.longest, to - from);
      sum.inferred &&= inferred;
      sum.intervals.push([from, to]);
    }
    return [...found.values()].sort((a, b) => b.ns - a.ns);
  }

  /** Since when the thread has waited for what it waits for in a piece. */
  since(thread, piece) {
    const thing = this.thing(piece);
    const {pieces} = this;
    while (piece > pieces.start[thread] && pieces.goesOn(piece) && this.thing(piece - 1) === thing)
      piece--;
    return pieces.begin[piece];
  }

  /**
   * Threads that wait at a time for what threads give: those that wait for one thing in one place
   * are one, those that wait longest first. What a thread was last found in counts until it ends,
   * or for a time at which it still was there (`still`).
   * @returns {{threads: number[], piece: number, since: number}[]}
   */
  blockedAt(time, threads, still) {
    const {pieces, head} = this;
    const found = new Map();
    for (let thread = 0; thread < pieces.threadCount; thread++) {
      if (threads && !threads[thread]) continue;
      const piece =
          this.pieceBefore(thread, time, still && head.threads[thread].end_ns === undefined);
      const thing = piece < 0 ? -1 : this.thing(piece);
      if (thing < 0 || this.things[thing].group === 'outside') continue;
      const since = this.since(thread, piece);
      const key = `${pieces.wait[piece]} ${pieces.text[piece]}`;
      const group = found.get(key);
      if (!group) {
        found.set(key, {threads: [thread], piece, since});
      } else {
        group.threads.push(thread);
        group.since = Math.min(group.since, since);
      }
    }
    return [...found.values()].sort((a, b) => a.since - b.since || a.piece - b.piece);
  }

  /** The piece that a thread is in right before a time, or (`lasts`) was last in; or -1. */
  pieceBefore(thread, time, lasts) {
    const {pieces} = this;
    const piece = pieces.after(thread, time);
    const isEnd = piece === pieces.start[thread + 1];
    if (!isEnd && pieces.begin[piece] < time) return piece;
    if (piece === pieces.start[thread]) return -1;
    return pieces.end[piece - 1] === time || (isEnd && lasts) ? piece - 1 : -1;
  }
}

function sumWaits(waited) {
  for (const {thread, from, to} of waited.waits) {
    const sum = waited.threads.get(thread) ?? {ns: 0, count: 0, longest: 0};
    sum.ns += to - from;
    sum.count++;
    sum.longest = Math.max(sum.longest, to - from);
    waited.threads.set(thread, sum);
    waited.ns += to - from;
    waited.longest = Math.max(waited.longest, to - from);
  }
}

/** Adds what follows to the one before where the holder is the same. */
function addEpisode(list, episode) {
  const last = list[list.length - 1];
  if (last && last.to === episode.from && last.holder === episode.holder) {
    last.to = episode.to;
    last.inferred &&= episode.inferred;
    last.waiters = Math.max(last.waiters, episode.waiters);
  } else {
    list.push(episode);
  }
}

/** The first episode that ends after a time; perhaps the one behind the last. */
function episodeAfter(episodes, time) {
  let low = 0;
  let high = episodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (episodes[middle].to > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/** The episode of a time, or null. */
export function episodeAt(episodes, time) {
  const found = episodes[episodeAfter(episodes, time)];
  return found && found.from <= time ? found : null;
}

/** Episodes as far as they are within a time. */
export function episodesWithin(episodes, from, to) {
  const cut = [];
  for (let i = episodeAfter(episodes, from); i < episodes.length && episodes[i].from < to; i++)
    cut.push(
        {...episodes[i], from: Math.max(episodes[i].from, from), to: Math.min(episodes[i].to, to)});
  return cut;
}

/** The longest waits, the longest first. @param {Wait[]} waits */
export function longestWaits(waits, most) {
  const length = ({from, to}) => to - from;
  const list = [];
  for (const wait of waits) {
    if (list.length === most && length(wait) <= length(list[most - 1])) continue;
    let at = list.length;
    while (at > 0 && length(list[at - 1]) < length(wait)) at--;
    list.splice(at, 0, wait);
    if (list.length > most) list.pop();
  }
  return list;
}
