// SPDX-License-Identifier: MIT
/**
 * Above a flame graph: how it is drawn, the way to what it is zoomed into, and what colours mean.
 */
import {percentText} from './amounts.js';
import {STRONGEST_CHANGE} from './colours.js';
import {element, replace, shortened} from './dom.js';
import {flameColour} from './flame_paint.js';
import {weighModules, weighTrusts} from './flame_weights.js';
import {trustTitle, trustWords} from './words.js';

/** One of several values of a part of the state. */
function flameSegments(app, key, label, options) {
  const buttons = options.map(
      ([value, text, title]) => element(
          'button', {
            type: 'button',
            role: 'radio',
            title,
            'data-value': value,
            onclick: () => app.set(
                key === 'side' || key === 'colour' ? {[key]: value} : {[key]: value, zoom: []})
          },
          text));
  const group =
      element('div', {class: 'segments', role: 'radiogroup', 'aria-label': label}, ...buttons);
  group.addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step) return;
    const next = (buttons.indexOf(event.target) + step + buttons.length) % buttons.length;
    buttons[next].click();
    buttons[next].focus();
    event.preventDefault();
  });
  const update = () => buttons.forEach((button) => {
    const isChosen = button.dataset.value === app.state[key];
    button.setAttribute('aria-checked', String(isChosen));
    button.tabIndex = isChosen ? 0 : -1;
  });
  return {group, update};
}

/** @param {import('./app.js').App} app */
export function createFlameBar(app) {
  const hasBase = !!app.model.base;
  const invert = element(
      'button', {
        type: 'button',
        title: 'Callees at the root: where time is spent, and who calls it (key i)',
        onclick: () => app.set({invert: !app.state.invert, zoom: []})
      },
      'Inverted');
  const parts = [];
  if (app.head.threads.length > 1)
    parts.push(flameSegments(app, 'rows', 'Graphs', [
      ['merged', 'Merged', 'One graph of all threads'],
      ['threads', 'By kind of thread', 'A graph for each kind of thread']
    ]));
  parts.push(flameSegments(app, 'colour', 'Colour', [
    ['module', 'Module', 'Colour by module'], ['trust', 'Trust', 'Colour by how a frame was found'],
    ...(hasBase ? [['change', 'Change', 'Colour by what changed since the baseline']] : [])
  ]));
  if (hasBase)
    parts.push(flameSegments(app, 'side', 'Side', [
      ['now', 'Now', 'Widths of this capture'], ['base', 'Baseline', 'Widths of the baseline']
    ]));
  const node = element(
      'div', {class: 'bar-row flame-bar'}, element('div', {class: 'segments'}, invert),
      ...parts.map((part) => part.group));
  return {
    node,
    update() {
      invert.setAttribute('aria-pressed', String(app.state.invert));
      for (const part of parts) part.update();
    }
  };
}

/** More steps than so many have the ones in their middle left out. */
const FLAME_MOST_STEPS = 8;

/** The way from the root to the frame that is zoomed into; empty where none is. */
export function createFlamePath(app) {
  const node = element('nav', {class: 'flame-path', 'aria-label': 'Zoomed into'});
  const step = (zoom, text, isLast) => element(
      'button', {
        type: 'button',
        class: 'link',
        'aria-current': isLast ? 'location' : null,
        onclick: () => app.set({zoom})
      },
      text);
  return {
    node,
    update() {
      const {zoom} = app.state;
      node.hidden = !zoom.length;
      const left = zoom.length - FLAME_MOST_STEPS + 1;
      const steps = [step([], 'all', false)];
      zoom.forEach((func, i) => {
        const isLast = i === zoom.length - 1;
        if (zoom.length <= FLAME_MOST_STEPS || i < 2 || i >= zoom.length - FLAME_MOST_STEPS + 3)
          steps.push(
              step(zoom.slice(0, i + 1), shortened(app.model.functionLabel(func), 48), isLast));
        else if (i === 2)
          steps.push(element('span', {class: 'dim'}, `… ${left} …`));
      });
      replace(
          node,
          element(
              'button', {
                type: 'button',
                class: 'button',
                title: 'Zoom out (key Backspace)',
                onclick: () => app.set({zoom: zoom.slice(0, -1)})
              },
              'Zoom out'),
          element('ol', {}, ...steps.map((child) => element('li', {}, child))));
    }
  };
}

function flameSwatchItem(colour, text, share, onclick = null, title = null) {
  const box = element('span', {class: 'flame-swatch', 'aria-hidden': 'true'});
  box.style.background = colour;
  const name = onclick ? element('button', {type: 'button', class: 'link', title, onclick}, text) :
                         element('span', {title}, text);
  return element('li', {}, box, name, share ? element('span', {class: 'dim'}, share) : null);
}

/** So many modules have a line of their own in the legend. */
const FLAME_MOST_MODULES = 12;

function moduleLegend(app, painter) {
  const {modules} = app.head;
  const sums = app.shownSums();
  const weights = weighModules(app.model, sums);
  const order = modules.map((_, i) => i).filter((i) => weights[i] > 0);
  order.sort((a, b) => weights[b] - weights[a] || a - b);
  const items = order.slice(0, FLAME_MOST_MODULES).map((module) => {
    const {path, name} = modules[module];
    const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return flameSwatchItem(
        painter.moduleInk(module)[0].fill, shortened(name || path || 'not known', 40),
        percentText(weights[module], sums.sum), path ? () => app.set({search: escaped}) : null,
        path ? `Search ${shortened(path, 200)}` : null);
  });
  const rest = order.slice(FLAME_MOST_MODULES).reduce((sum, module) => sum + weights[module], 0);
  if (order.length > FLAME_MOST_MODULES)
    items.push(element(
        'li', {class: 'dim'},
        `${order.length - FLAME_MOST_MODULES} more modules ${percentText(rest, sums.sum)}`));
  return ['Self weight by module', items];
}

function trustLegend(app, painter) {
  const weights = weighTrusts(app.model, app.shownSums());
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const items = app.head.trusts.map(
      (name, i) => weights[i] > 0 &&
          flameSwatchItem(
                       painter.scheme.trust[i][0].fill, trustWords(name),
                       percentText(weights[i], sum), null, trustTitle(name)));
  return ['How frames were found, by weight', items.filter(Boolean)];
}

function changeLegend(app, painter) {
  if (app.state.rows === 'threads' && app.state.side === 'now')
    return ['Change', [element('li', {}, 'The baseline has no threads: merged graphs show it')]];
  const box = (part, text) => {
    const palette = painter.scheme.change;
    const middle = (palette.length - 1) / 2;
    return flameSwatchItem(palette[middle + Math.round(part * middle)][0].fill, text, '');
  };
  const most = STRONGEST_CHANGE / 100;
  const isCounted = app.state.weight === 'samples';
  return [
    'Change of the share, in percentage points',
    [
      box(-1, `−${most} or less`), box(-0.5, `−${most / 4}`),
      box(0, isCounted ? 'no more than noise' : 'none'), box(0.5, `+${most / 4}`),
      box(1, `+${most} or more`)
    ]
  ];
}

/** @param {import('./flame_paint.js').FlamePainter} painter */
export function createFlameLegend(app, painter) {
  const node = element('div', {class: 'flame-legend'});
  const kinds = {module: moduleLegend, trust: trustLegend, change: changeLegend};
  return {
    node,
    update() {
      const [title, items] = kinds[flameColour(app)](app, painter);
      replace(node, element('span', {class: 'dim'}, title), element('ul', {}, ...items));
    }
  };
}
