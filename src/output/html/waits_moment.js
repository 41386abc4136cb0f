// SPDX-License-Identifier: MIT
/** Waits of one moment, as a core has them: without times, as the writer of the page found them. */
import {countText} from './amounts.js';
import {element, shortened} from './dom.js';
import {threadLabel} from './piece_words.js';
import {chainDetails} from './thread_detail.js';

const MOMENT_NAME = 140;

function listOf(items) {
  return element('ul', {class: 'panel wt-members'}, ...items);
}

/** Who is blocked. @returns {Node[]} */
export function blockedOfMoment(app) {
  const list = app.head.blocked ?? [];
  const items = list.map(({text, count, object_text: object, holder, chain}) => {
    const more = count > 1 ? ` and ${count - 1} more` : '';
    const what = [object, holder].filter(Boolean).map((word) => shortened(word, MOMENT_NAME));
    return element(
        'li', {}, element('p', {}, `${shortened(text, MOMENT_NAME)}${more}: ${what.join(', ')}`),
        chain?.length ? chainDetails('in', chain) : null);
  });
  const left = app.head.blocked_left_out;
  return [
    element('h2', {}, 'Blocked'),
    items.length ? listOf(items) :
                   element('p', {class: 'dim'}, 'No thread waits for what another gives.'),
    ...(left ? [element('p', {class: 'dim'}, `and ${left} more`)] : []),
  ];
}

function holderItem(app, {thread, text, inferred, took, does}) {
  const name = thread === undefined ? shortened(text, MOMENT_NAME) : threadLabel(app.head, thread);
  return element(
      'li', {}, element('p', {}, `held by ${name}${inferred ? ' [inferred]' : ''}`),
      took?.length ? chainDetails('took in', took) : null,
      does?.length ? chainDetails('does', does) : null);
}

function objectItem(app, object) {
  const {name, detail, doubt, threads, waiters = [], holders = []} = object;
  const chain = waiters[0]?.chain;
  const words = [
    shortened(name, MOMENT_NAME), detail ? ` (${shortened(detail, MOMENT_NAME)})` : '',
    `: ${countText(threads, 'thread')} ${threads === 1 ? 'waits' : 'wait'}`,
    doubt ? ` [${shortened(doubt, MOMENT_NAME)}]` : ''
  ];
  return element(
      'li', {}, element('p', {}, words.join('')),
      chain?.length ? chainDetails('waits in', chain) : null,
      holders.length ? element('ul', {}, ...holders.map((one) => holderItem(app, one))) : null);
}

/** What is waited for. @returns {Node[]} */
export function objectsOfMoment(app) {
  const groups = [
    ['lock', 'Locks that are waited for'],
    ['threads', 'Other objects that are waited for'],
    ['outside', 'Waits for the world outside'],
  ];
  return groups.flatMap(([group, title]) => {
    const list = (app.head.objects ?? []).filter((object) => object.group === group);
    return list.length ?
        [element('h2', {}, title), listOf(list.map((object) => objectItem(app, object)))] :
        [];
  });
}
