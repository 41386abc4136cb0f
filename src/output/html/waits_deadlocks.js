// SPDX-License-Identifier: MIT
/** Deadlocks as circles, and locks that were taken in contradictory orders: both as the writer found them. */
import {countText, timeText} from './amounts.js';
import {element, visible} from './dom.js';
import {chainDetails, sampleLinks} from './thread_detail.js';
import {threadName} from './words.js';

function threadLink(app, thread) {
  return element(
      'button', {type: 'button', class: 'link', onclick: () => app.set({threads: [thread]})},
      threadName(app.head, thread));
}

/** What a text is of: "mutex prices". */
function objectLink(app, object, text) {
  return object === undefined ?
      element('span', {}, visible(text)) :
      element(
          'button', {type: 'button', class: 'link', onclick: () => app.set({object})},
          visible(text));
}

function objectText(app, object, words) {
  return words ?? app.head.objects?.[object]?.text ?? 'what is not known';
}

/** thread → lock → holder → …, and back to the first. */
function circle(app, steps) {
  const parts = [];
  steps.forEach((step, i) => {
    parts.push(
        element('li', {class: 'wt-thread'}, `T${i + 1} `, threadLink(app, step.thread)),
        element('li', {class: 'wt-arrow'}, step.join ? 'waits for the end of →' : 'waits for →'));
    if (!step.join)
      parts.push(
          element(
              'li', {class: 'wt-lock'},
              objectLink(app, step.object, objectText(app, step.object, step.waits))),
          element('li', {class: 'wt-arrow'}, 'held by →'));
  });
  parts.push(element('li', {class: 'wt-thread dim'}, 'T1 again'));
  return element('ol', {class: 'wt-circle'}, ...parts);
}

function memberWords(app, steps, i) {
  const step = steps[i];
  const next = `T${((i + 1) % steps.length) + 1}`;
  const parts = [`T${i + 1} `, threadLink(app, step.thread)];
  if (step.holds)
    parts.push(
        ' holds ', objectLink(app, step.held, step.holds),
        step.hold_inferred ? ' [inferred],' : ',');
  parts.push(
      ' waits for ', objectLink(app, step.object, objectText(app, step.object, step.waits)),
      step.kind_inferred ? ' [kind inferred]' : '',
      step.join ? `, the end of ${next}` : `, held by ${next}`);
  return element(
      'li', {}, element('p', {}, ...parts),
      step.waits_in?.length ? chainDetails('waits in', step.waits_in) : null,
      step.took_in?.length ? chainDetails('took in', step.took_in) : null);
}

function deadlockCard(app, deadlock) {
  const {steps = []} = deadlock;
  const parts = [element('h3', {}, visible(deadlock.title))];
  if (deadlock.evidence) parts.push(element('p', {}, visible(deadlock.evidence)));
  if (steps.length) {
    parts.push(
        circle(app, steps),
        element('ul', {class: 'wt-members'}, ...steps.map((_, i) => memberWords(app, steps, i))));
    if (deadlock.behind)
      parts.push(element(
          'p', {},
          `${countText(deadlock.behind, 'more thread')} ` +
              `${deadlock.behind === 1 ? 'waits' : 'wait'} for them.`));
    const threads = [...new Set(steps.map(({thread}) => thread))].sort((a, b) => a - b);
    parts.push(sampleLinks(app, {threads}));
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
  const {objects} = app.head;
  return element(
      'li', {},
      element(
          'p', {}, threadLink(app, step.thread), ' held ',
          objectLink(app, step.from, objects[step.from].text), ', waited for ',
          objectLink(app, step.to, objects[step.to].text),
          step.at_ns === undefined ? '' : `, at ${timeText(step.at_ns)}`),
      step.waits_in?.length ? chainDetails('waits in', step.waits_in) : null,
      step.took_in?.length ? chainDetails('took in', step.took_in) : null);
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
