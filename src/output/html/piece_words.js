// SPDX-License-Identifier: MIT
/** Words for pieces of time, what is waited for, and who holds it. */
import {countText, percentText, timeText} from './amounts.js';
import {element, shortened, visible} from './dom.js';
import {PIECE_STATES} from './pieces.js';
import {holderOf} from './waits_model.js';
import {threadName} from './words.js';

const LABEL_MOST = 80;
const THING_MOST = 140;

/** "running", "waits for a lock", … */
export function stateName(head, state) {
  return head.timeline_states?.[state] ?? PIECE_STATES[state];
}

/** What a thread is called, where there are others beside it. */
export function threadLabel(head, thread) {
  return shortened(threadName(head, thread), LABEL_MOST);
}

/** "crunch-0 (21682)": without the function that it began in. */
export function shortThread(head, thread) {
  const {name, tid} = head.threads[thread];
  return name && tid ? shortened(`${name} (${tid})`, LABEL_MOST) : threadLabel(head, thread);
}

/** The function that a piece is in, or "". */
export function pieceFunction(head, text) {
  return text ? visible(head.texts[text - 1]) : '';
}

/** "mutex g_lock", "rwlock (read) g_table" of a wait, or its kind alone. */
export function waitText(head, wait) {
  const name = shortened(head.objects?.[wait.object]?.name ?? wait.kind, THING_MOST);
  const words =
      visible(wait.kind.startsWith('rwlock (') ? name.replace(/^rwlock/, wait.kind) : name);
  return wait.kind_inferred ? `${words} (kind inferred)` : words;
}

/** What is waited for, of all that wait for it. */
export function thingText(head, {object, kind}) {
  return shortened(object === null ? kind : head.objects[object].name, THING_MOST);
}

/**
 * "worker (7)", "tid 9, which is not shown", "3 readers". @param
 * {import('./waits_model.js').Holder} holder
 */
export function holderText(head, holder) {
  if (holder.thread >= 0) return threadLabel(head, holder.thread);
  if (holder.tid) return `tid ${holder.tid}, which is not shown`;
  const readers = holder.readers > 0 ? countText(holder.readers, 'reader') : 'readers';
  return `${readers}, which it does not name`;
}

/**
 * "held by worker (7)", "[…]": of who has what a wait is for, by itself as the wait tells; "" of
 * what nobody has.
 */
export function ownerWords(head, wait, holder = holderOf(wait)) {
  if (holder) {
    const doubt = wait.owner_inferred ? ' (inferred)' : '';
    const verb = wait.kind === 'join' ? 'the end of' : 'held by';
    return `${verb} ${holderText(head, holder)}${doubt}`;
  }
  if (wait.doubt) return `[${visible(wait.doubt)}]`;
  return wait.group === 'lock' ? 'owner not known' : '';
}

/** "≥ 649 waits seen": samples may miss some, unless they saw all of the time. */
export function waitsText({count, allSeen}) {
  return allSeen ? countText(count, 'wait') : `≥ ${countText(count, 'wait')} seen`;
}

/** The same in a column of its own. */
export function waitsNumber({count, allSeen}) {
  return allSeen ? String(count) : `≥ ${count}`;
}

/** A square in a state's colour. */
export function stateSwatch(state) {
  return element(
      'span', {class: `piece-swatch piece-is-${PIECE_STATES[state]}`, 'aria-hidden': 'true'});
}

/** "running 30 % · waits for a lock 70 %" with swatches; `sums` by state. */
export function stateShares(head, sums) {
  const total = sums.reduce((sum, ns) => sum + ns, 0);
  return [...sums.keys()]
      .filter((state) => sums[state] > 0)
      .map(
          (state) => element(
              'span', {class: 'piece-share', title: timeText(sums[state])}, stateSwatch(state),
              `${stateName(head, state)} ${percentText(sums[state], total)}`));
}

/** A bar of the states' shares. `total`: what fills it, or 0: the sum. */
export function stateBar(head, sums, total = 0) {
  const all = Math.max(total, sums.reduce((sum, ns) => sum + ns, 0));
  const parts = [...sums.keys()].filter((state) => sums[state] > 0).map((state) => {
    const part = element('span', {class: `piece-is-${PIECE_STATES[state]}`});
    part.style.width = `${(100 * sums[state]) / all}%`;
    return part;
  });
  const words = [...sums.keys()]
                    .filter((state) => sums[state] > 0)
                    .map((state) => `${stateName(head, state)} ${percentText(sums[state], all)}`)
                    .join(', ');
  return element(
      'span', {class: 'piece-bar', role: 'img', 'aria-label': words || 'nothing', title: words},
      ...parts);
}
