// SPDX-License-Identifier: MIT
/**
 * Deadlocks as circles, and locks that were taken in contradictory orders: both as the writer of
 * the page found them.
 */
import {countText, timeText} from './amounts.js';
import {element, shortened, visible} from './dom.js';
import {threadLabel} from './piece_words.js';
import {chainDetails, sampleLinks} from './thread_detail.js';

const CHAINS_OPEN = 4;  // threads of a deadlock whose chains are seen at once

/** The thread of a step: to be chosen, where the page has it. */
function stepThread(app, {thread, text}) {
  if (thread === undefined) return element('span', {}, shortened(text ?? 'a thread', 80));
  return element(
      'button', {
        type: 'button',
        class: 'link',
        title: 'Choose this thread',
        onclick: () => app.set({threads: [thread]})
      },
      threadLabel(app.head, thread));
}

/** "mutex prices": to be selected, where the page has it. */
function stepObject(app, object, text) {
  const words = shortened(text ?? app.head.objects?.[object]?.name ?? 'what is not known', 140);
  const isShown = object !== undefined && app.head.time;
  if (!isShown) return element('span', {}, words);
  return element(
      'button', {
        type: 'button',
        class: 'link',
        title: 'Who waited for it, who held it',
        onclick: () => app.set({object})
      },
      words);
}

function isJoin({object_text: text = ''}) {
  return /^join\b/.test(text);
}

/** thread → lock → holder → …, and back to the first. */
function circle(app, steps) {
  const parts = [];
  steps.forEach((step, i) => {
    parts.push(
        element('li', {class: 'wt-thread'}, `T${i + 1} `, stepThread(app, step)),
        element(
            'li', {class: 'wt-arrow'}, isJoin(step) ? 'waits for the end of →' : 'waits for →'));
    if (!isJoin(step))
      parts.push(
          element('li', {class: 'wt-lock'}, stepObject(app, step.object, step.object_text)),
          element('li', {class: 'wt-arrow'}, 'held by →'));
  });
  parts.push(element('li', {class: 'wt-thread dim'}, steps.length > 1 ? 'T1 again' : 'T1 itself'));
  return element('ol', {class: 'wt-circle'}, ...parts);
}

function chainsOf(step, open) {
  return [
    step.chain?.length ? chainDetails('waits in', step.chain, {open}) : null,
    step.took?.length ? chainDetails('took in', step.took, {open}) : null,
  ];
}

/** "T1 worker (7) holds mutex x, waits for mutex y, held by T2", and in which chains. */
function memberWords(app, steps, i) {
  const step = steps[i];
  const next = `T${((i + 1) % steps.length) + 1}`;
  const parts = [`T${i + 1} `, stepThread(app, step)];
  if (step.held_text)
    parts.push(
        ' holds ', stepObject(app, step.held, step.held_text),
        step.held_inferred ? ' [inferred],' : ',');
  parts.push(
      ' waits for ', stepObject(app, step.object, step.object_text),
      step.kind_inferred ? ' [kind inferred]' : '',
      isJoin(step) ? `, the end of ${next}` : `, held by ${next}`);
  return element(
      'li', {}, element('p', {}, ...parts),
      ...chainsOf(step, steps.length <= CHAINS_OPEN).filter(Boolean));
}

function behindWords(count) {
  return `${countText(count, 'more thread')} ${count === 1 ? 'waits' : 'wait'} for them.`;
}

function deadlockCard(app, deadlock) {
  const {steps = []} = deadlock;
  const parts = [element('h3', {}, visible(deadlock.title))];
  if (deadlock.evidence) parts.push(element('p', {class: 'dim'}, visible(deadlock.evidence)));
  if (steps.length) {
    parts.push(
        circle(app, steps),
        element('ul', {class: 'wt-members'}, ...steps.map((_, i) => memberWords(app, steps, i))));
    if (deadlock.behind) parts.push(element('p', {}, behindWords(deadlock.behind)));
    const known = steps.map(({thread}) => thread).filter((thread) => thread !== undefined);
    const threads = [...new Set(known)].sort((a, b) => a - b);
    if (threads.length) parts.push(sampleLinks(app, {threads}));
  }
  return element(
      'article', {class: `panel wt-deadlock${deadlock.certain ? ' wt-certain' : ''}`}, ...parts);
}

/** The section of deadlocks. */
export function deadlocksPart(app) {
  const list = app.head.deadlocks ?? [];
  if (!list.length) return [element('p', {class: 'good'}, 'No deadlock was found.')];
  return list.map((deadlock) => deadlockCard(app, deadlock));
}

function orderStep(app, step) {
  return element(
      'li', {},
      element(
          'p', {}, stepThread(app, step), ' held ', stepObject(app, step.held, step.held_text),
          ', waited for ', stepObject(app, step.object, step.object_text),
          step.at_ns === undefined ? '' : `, at ${timeText(step.at_ns)}`),
      ...chainsOf(step, false).filter(Boolean));
}

/** Locks taken in contradictory orders; null: none were. */
export function ordersPart(app) {
  const list = app.head.lock_orders ?? [];
  if (!list.length) return null;
  return element(
      'section', {}, element('h2', {}, 'Locks taken in contradictory orders'),
      element('p', {class: 'dim'}, 'A deadlock may come of it.'),
      ...list.map(
          ({steps}) => element(
              'ul', {class: 'panel wt-members'}, ...steps.map((step) => orderStep(app, step)))));
}
