// SPDX-License-Identifier: MIT
/**
 * Who waited for what, and who held it: the one model of all views. What the writer of the page has
 * summed up of the whole capture is shown as it is; of a part it is summed up here, from the same
 * pieces of time and by the same rules, so that the sums of all of them are the writer's.
 *
 * Who held an object when was found by the writer, too: it is known only while somebody waits.
 */

/**
 * @typedef {object} Wait  a stretch in which samples found a thread waiting for one thing
 * @property {number} thread
 * @property {number} first  of its pieces, which follow each other
 * @property {number} last
 * @property {number} from   ns, within the selection
 * @property {number} to
 * @property {number} ns     of that, less what it ran
 *
 * @typedef {object} Waited  what was waited for, summed over a selection
 * @property {number} thing  its number: that of an object, or of a kind behind them
 * @property {number|null} object  index into head.objects; null: only the kind is known
 * @property {string} kind
 * @property {string} group  'lock', 'threads' (what else threads give), 'outside'
 * @property {number} from @property {number} to  the selection's time
 * @property {boolean} ofAll  all threads are chosen
 * @property {number} ns @property {number} longest
 * @property {number} count  of waits; at least so many, or (`allSeen`) exactly
 * @property {boolean} allSeen
 * @property {number} threadCount
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
 *
 * @typedef {object} Blocked  threads that wait alike
 * @property {number[]} threads  that are chosen
 * @property {any} wait  one of head.waits
 * @property {string} holder  words for who holds it, or ""
 * @property {number} piece  the last of the first of them
 * @property {number} since @property {number} until  ns
 * @property {string[]} [chain] @property {boolean} [always]  for all of the capture
 */

/** Who holds what a wait is for; null: it does not tell. @returns {Holder|null} */
export function holderOf(wait) {
  if (wait.owner !== undefined) return {thread: wait.owner, tid: 0, readers: 0};
  if (wait.owner_tid) return {thread: -1, tid: wait.owner_tid, readers: 0};
  return wait.readers ? {thread: -1, tid: 0, readers: wait.readers} : null;
}

/** By object who held it when, as the payload has it. @returns {Episode[][]} */
function readEpisodes(payload, waits) {
  const [counts, gap, length, owner, wait, inferred] = [
    'object.holds', 'hold.gap', 'hold.length', 'hold.owner', 'hold.wait', 'hold.inferred'
  ].map((name) => payload.column(name) ?? []);
  let at = 0;
  return Array.from(counts, (count) => {
    let time = 0;
    return Array.from({length: count}, () => {
      const from = time + gap[at];
      const to = time = from + length[at];
      const holder = owner[at] ? {thread: owner[at] - 1, tid: 0, readers: 0} :
                                 /** @type {Holder} */ (holderOf(waits[wait[at]]));
      return {holder, from, to, inferred: !!inferred[at++], waiters: 0};
    });
  });
}

export class WaitsModel {
  /** @param {import('./data.js').Payload} payload @param {import('./pieces.js').Pieces} pieces */
  constructor(payload, pieces) {
    const {head} = payload;
    this.head = head;
    this.pieces = pieces;
    this.waits = head.waits ?? [];
    this.objects = head.objects ?? [];
    this.episodesOf = readEpisodes(payload, this.waits);
    // By wait: what is waited for, as a number: objects, then kinds of what is not known.
    const kinds = [...new Set(this.waits.map((wait) => wait.kind))];
    /** @type {any[]} */
    this.things = [
      ...this.objects.map(({kind, group}, object) => ({object, kind, group})),
      ...kinds.map(
          (kind) =>
              ({object: null, kind, group: this.waits.find((wait) => wait.kind === kind).group})),
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

  newWaited(thing, {threads, from, to}) {
    return {
      ...this.things[thing],
      thing,
      from,
      to,
      ofAll: !threads,
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
        open = {thread, first: piece, last: piece, from, to: from, ns: 0};
        openThing = thing;
        (found[thing] ??= this.newWaited(thing, selection)).waits.push(open);
      }
      open.last = piece;
      open.to = from + ns;
      open.ns += pieces.waitedWithin(piece, ns);
    });
    const list = found.filter(Boolean);
    const isWhole = selection.allTime && !selection.threads;
    for (const waited of list) {
      sumWaits(waited);
      if (isWhole && waited.object !== null) takeWhole(waited, this.objects[waited.object]);
    }
    return list.sort((a, b) => b.ns - a.ns || a.thing - b.thing);
  }

  /**
   * Who held something when, while others waited for it that are chosen, in the order of time.
   * @param {Waited} waited @returns {Episode[]}
   */
  episodes(waited) {
    const all = this.episodesOf[waited.object ?? -1] ?? [];
    const times = waited.ofAll ? [[waited.from, waited.to]] : joined(waited.waits);
    const list = times.flatMap(([from, to]) => episodesWithin(all, from, to));
    countWaiters(list, waited.waits);
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
   * Threads that wait when the capture ends for what threads give, as its writer found them.
   * @param {Uint8Array|null} threads @returns {Blocked[]}
   */
  blockedAtEnd(threads) {
    const {pieces, head} = this;
    return (head.blocked ?? []).flatMap((group) => {
      const members =
          (group.members ?? []).filter(({thread}) => thread >= 0 && (threads?.[thread] ?? 1));
      if (!members.length) return [];
      return [{
        threads: members.map(({thread}) => thread),
        wait: this.waits[group.wait],
        holder: group.holder ?? '',
        piece: pieces.start[members[0].thread + 1] - 1,
        since: Math.min(...members.map(({since_ns: since}) => since)),
        until: group.end_ns,
        chain: group.chain,
        always: group.always
      }];
    });
  }

  /**
   * The same of a time before the end: those that wait for one thing in one place are one, those
   * that wait longest first. @param {(holder: Holder|null, wait: any) => string} words for a holder
   * @returns {Blocked[]}
   */
  blockedAt(time, threads, words) {
    const {pieces} = this;
    /** @type {Map<string, Blocked>} */
    const found = new Map();
    for (let thread = 0; thread < pieces.threadCount; thread++) {
      const piece = !threads || threads[thread] ? this.pieceBefore(thread, time) : -1;
      const thing = piece < 0 ? -1 : this.thing(piece);
      if (thing < 0 || this.things[thing].group === 'outside') continue;
      const since = this.since(thread, piece);
      const key = `${pieces.wait[piece]} ${pieces.text[piece]}`;
      const group = found.get(key);
      if (group) {
        group.threads.push(thread);
        group.since = Math.min(group.since, since);
        continue;
      }
      const wait = this.waitOf(piece);
      const holder = episodeAt(this.episodesOf[wait.object ?? -1] ?? [], time - 1)?.holder ?? null;
      found.set(
          key, {threads: [thread], wait, holder: words(holder, wait), piece, since, until: time});
    }
    return [...found.values()].sort((a, b) => a.since - b.since || a.piece - b.piece);
  }

  /** The piece that a thread is in right before a time, or -1. */
  pieceBefore(thread, time) {
    const {pieces} = this;
    const piece = pieces.after(thread, time);
    if (piece < pieces.start[thread + 1] && pieces.begin[piece] < time) return piece;
    return piece > pieces.start[thread] && pieces.end[piece - 1] === time ? piece - 1 : -1;
  }
}

function sumWaits(waited) {
  for (const {thread, ns} of waited.waits) {
    const sum = waited.threads.get(thread) ?? {ns: 0, count: 0, longest: 0};
    sum.ns += ns;
    sum.count++;
    sum.longest = Math.max(sum.longest, ns);
    waited.threads.set(thread, sum);
    waited.ns += ns;
    waited.longest = Math.max(waited.longest, ns);
  }
  waited.count = waited.waits.length;
  waited.threadCount = waited.threads.size;
  waited.allSeen = false;
}

/** Of the whole capture the writer of the page counted, exactly. */
function takeWhole(waited, object) {
  waited.ns = object.waited_ns;
  waited.longest = object.longest_ns;
  waited.count = object.waits;
  waited.threadCount = object.threads;
  waited.allSeen = !!object.all_seen;
}

/** The times at which one waits at least, in their order. @param {Wait[]} waits */
function joined(waits) {
  /** @type {[number, number][]} */
  const times = [];
  for (const {from, to} of [...waits].sort((a, b) => a.from - b.from)) {
    const last = times[times.length - 1];
    if (last && from <= last[1])
      last[1] = Math.max(last[1], to);
    else
      times.push([from, to]);
  }
  return times;
}

/** Notes how many waited at one time in each episode, at the most. */
function countWaiters(episodes, waits) {
  const begins = Float64Array.from(waits.map(({from}) => from)).sort();
  const ends = Float64Array.from(waits.map(({to}) => to)).sort();
  let begun = 0;
  let ended = 0;
  for (const episode of episodes) {
    while (begun < begins.length && begins[begun] <= episode.from) begun++;
    while (ended < ends.length && ends[ended] <= episode.from) ended++;
    let now = begun - ended;
    episode.waiters = now;
    while (begun < begins.length && begins[begun] < episode.to) {
      for (; ended < ends.length && ends[ended] <= begins[begun]; ended++) now--;
      begun++;
      episode.waiters = Math.max(episode.waiters, ++now);
    }
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
  const list = [];
  for (const wait of waits) {
    if (list.length === most && wait.ns <= list[most - 1].ns) continue;
    let at = list.length;
    while (at > 0 && list[at - 1].ns < wait.ns) at--;
    list.splice(at, 0, wait);
    if (list.length > most) list.pop();
  }
  return list;
}
