// SPDX-License-Identifier: MIT
/**
 * The call graph as `-f svg` draws it, laid out of the whole capture; figures, colours and widths
 * follow what is selected.
 */
import {WEIGHT_NAMES} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {edgeFigures, graphValueText, nodeFigures, placeEdges, weighEdges} from './graph_figures.js';
import {PanZoom} from './graph_pan.js';
import {Picture, PictureNode} from './graph_picture.js';
import {safeSvg} from './svg_safe.js';
import {hideTip, say, showTip} from './tip.js';

const GRAPH_LEGIBLE_ZOOM = 0.55;
const GRAPH_LEGIBLE_FONT = 10;  // pixels, that the picture is opened with
const GRAPH_TIP_NAME_MAX = 400;
const GRAPH_NOTE_NAME_MAX = 60;

/** Keys of the state that change what boxes say. */
const GRAPH_REFIGURES = ['weight', 'threads', 'span', 'states', 'side', 'view'];

/** "A line. Another one." */
function sentences(lines) {
  return lines.map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}.`).join(' ');
}

class GraphView {
  constructor(app, root) {
    this.app = app;
    const {model} = app;
    const svg = safeSvg(model.payload.column('svg') ?? '');
    if (!svg) {
      replace(root, element('p', {class: 'problem'}, 'The picture cannot be read.'));
      return;
    }
    this.picture = new Picture(svg, model.functionCount);
    this.shown = [...this.picture.nodeOf.keys()];
    this.chosen = null;
    this.places = null;  // of the edges in the trie, made when first needed
    this.makeBox(root, svg);
    this.picture.settle();
    this.pan = new PanZoom(this.box, svg);
    this.fitHeight();
    this.pan.open(GRAPH_LEGIBLE_FONT / this.picture.fontSize(), this.heaviest());
    window.addEventListener('beforeprint', () => root.hidden || this.pan.print());
    window.addEventListener('afterprint', () => root.hidden || this.pan.show());
    this.update(new Set(['view']));
    this.ready = true;
  }

  makeBox(root, svg) {
    this.note = element('p', {class: 'graph-note', role: 'status'});
    this.told = element('p', {class: 'graph-told dim'}, sentences(this.picture.layout));
    this.box = element(
        'div', {
          class: 'graph-box',
          tabindex: 0,
          role: 'group',
          'aria-label': `Call graph, ${this.shown.length} functions. Plus and minus zoom, ` +
              'arrows move, 0 shows all; boxes are buttons.',
          onkeydown: (event) => this.key(event),
          onclick: (event) => this.click(event),
          onpointermove: (event) => this.hover(event),
          onpointerleave: hideTip,
          onfocusin: (event) => this.focus(event)
        },
        svg);
    svg.setAttribute('class', 'graph-svg');
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', 'Functions and calls');
    const button = (text, name, action) =>
        element('button', {type: 'button', 'aria-label': name, title: name, onclick: action}, text);
    this.tools = element(
        'div', {class: 'graph-tools', role: 'toolbar', 'aria-label': 'Zoom'},
        button('+', 'Zoom in (key +, or Ctrl and the wheel)', () => this.pan.zoomBy(1.25)),
        button('−', 'Zoom out (key −)', () => this.pan.zoomBy(0.8)),
        button('Fit', 'Fit: show all of the picture (key 0)', () => this.pan.fit()));
    replace(
        root,
        element(
            'div', {class: 'graph-page'},
            element('div', {class: 'graph-bar'}, this.tools, this.note), this.told, this.box));
    for (const {group} of this.picture.nodes) {
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'button');
      group.classList.add('graph-node');
    }
    for (const {group} of this.picture.edges) {
      group.setAttribute('aria-hidden', 'true');
      group.classList.add('graph-edge');
    }
  }

  update(changed) {
    if (!this.picture || this.isOfOthers()) return;
    if (['size', 'view', 'divided'].some((key) => changed.has(key))) this.fitHeight();
    if (GRAPH_REFIGURES.some((key) => changed.has(key))) this.figure();
    this.mark();
    this.writeNote();
    if (changed.has('func') || !this.ready) this.revealSelected();
    this.chosen = null;
  }

  /** The picture has functions divided, and whole ones are to be shown: it says so instead. */
  isOfOthers() {
    const {app} = this;
    const divide = element(
        'button', {type: 'button', class: 'button', onclick: () => app.set({divided: true})},
        'Divide them');
    for (const node of [this.tools, this.told, this.box]) node.hidden = !app.state.divided;
    if (app.state.divided) return false;
    replace(this.note, 'The picture was drawn with functions divided by value. ', divide);
    return true;
  }

  /** Where the box is that has most weight; where several have, the outermost of them. */
  heaviest() {
    const {functionTotal} = this.app.shownSums();
    let best = null;
    let most = 0;
    for (const {group, functions} of this.picture.nodes) {
      const weight = functionTotal[functions[0]];
      if (weight < most) continue;
      const place = group.getBoundingClientRect();
      if (weight === most && best && place.top >= best.top) continue;
      best = place;
      most = weight;
    }
    return best;
  }

  fitHeight() {
    const top = this.box.getBoundingClientRect().top + window.scrollY;
    const most = Math.floor(window.innerHeight * (window.innerWidth > 640 ? 1 : 0.75));
    const left = Math.floor(window.innerHeight - top - 17);
    this.box.style.height = `${Math.min(most, Math.max(360, left))}px`;
    this.pan.resize();
  }

  /** Is what is looked at what the picture was drawn of? */
  isWhole() {
    const {state, head} = this.app;
    const {weight} = state;
    const filtered = head.shown && head.shown[weight] !== head.totals[weight];
    return !filtered && !state.span && !state.threads && state.states === 'all' &&
        state.side !== 'base' && weight === head.weight;
  }

  figure() {
    const {picture} = this;
    this.whole = this.isWhole();
    picture.svg.classList.toggle('graph-part', !this.whole);
    this.context = this.makeContext();
    for (const part of [...picture.nodes, ...picture.edges]) part.restore();
    if (!this.whole && picture.nodes.length) this.writeFigures();
    for (const node of picture.nodes) node.group.setAttribute('aria-label', this.labelOf(node));
  }

  /** What a box says, and names in full where they were shortened. */
  labelOf({group, functions}) {
    const shown = group.textContent.replace(/\s+/g, ' ').trim();
    const names = functions.map((func) => visible(this.app.model.functionLabel(func)));
    const nothing = group.classList.contains('graph-none') ? ['nothing of what is selected'] : [];
    return [shown, ...names.filter((name) => !shown.includes(name)), ...nothing].join(', ');
  }

  /** @returns {import('./graph_figures.js').FigureContext} */
  makeContext() {
    const {app} = this;
    const base = app.baseSums();
    return {
      weight: app.state.weight,
      sum: app.shownSums().sum,
      carriers: app.shownSums().carriers,
      baseSum: base && app.state.side !== 'base' ? base.sum : null,
      baseCarriers: base?.carriers ?? 0,
      hasCalls: app.head.weights.includes('calls')
    };
  }

  writeFigures() {
    const {app, picture, context} = this;
    const sums = app.shownSums();
    const base = context.baseSum === null ? null : app.baseSums();
    for (const node of picture.nodes) {
      const func = node.functions[0];
      const total = sums.functionTotal[func];
      const baseTotal = base ? base.functionTotal[func] : 0;
      const isThread = app.model.moduleOf(func)?.path === '[thread]';
      node.write(nodeFigures(context, {self: sums.functionSelf[func], total, baseTotal, isThread}));
      node.group.classList.toggle('graph-none', total <= 0 && baseTotal <= 0);
    }
    const measured = picture.nodes.map((node) => node.measure());
    picture.nodes.forEach((node, i) => node.fit(measured[i]));
    const now = this.weigh(sums);
    const before = base ? this.weigh(base) : null;
    picture.edges.forEach((edge, i) => {
      const weight = now.weight[i];
      const baseWeight = before ? before.weight[i] : 0;
      edge.write(edgeFigures(context, {weight, calls: now.calls[i], base: baseWeight}));
      edge.group.classList.toggle('graph-none', weight <= 0 && baseWeight <= 0);
    });
    this.edgeWeights = now.weight;
  }

  weigh(sums) {
    const {edges} = this.picture;
    this.places ??= placeEdges(this.app.model, this.shown, edges.map(({from, to}) => [from, to]));
    return weighEdges(this.places, sums, edges.length);
  }

  /** What is selected, and what the search matches. */
  mark() {
    const {func} = this.app.state;
    const matches = this.app.matches();
    for (const {group, functions, names, lines} of this.picture.nodes) {
      const selected = func !== null && functions.includes(func);
      group.classList.toggle('graph-selected', selected);
      group.setAttribute('aria-pressed', String(selected));
      group.classList.toggle('graph-matched', !!matches && functions.some((one) => matches[one]));
      names.forEach(
          (text, i) => text.classList.toggle(
              'graph-name-selected', selected && functions.length > 1 && lines[i] === func));
    }
    this.picture.svg.classList.toggle('graph-searched', !!matches);
    for (const {group, from, to} of this.picture.edges)
      group.classList.toggle('graph-near', func !== null && (from === func || to === func));
  }

  writeNote() {
    const {app, picture} = this;
    const {func} = app.state;
    const parts = [];
    if (!picture.nodes.length)
      parts.push('This picture is of all that this page has; it does not follow what is selected.');
    else if (!this.whole)
      parts.push(
          'Figures, colours and widths of arrows are of what is selected; which functions are ' +
          `shown, where, and how large, is by ${WEIGHT_NAMES[app.head.weight]} of the whole ` +
          'capture.');
    if (picture.nodes.length && func !== null && !picture.nodeOf.has(func))
      parts.push(
          `Not in the picture: ${shortened(app.model.functionLabel(func), GRAPH_NOTE_NAME_MAX)}.`);
    this.note.textContent = parts.join(' ');
  }

  revealSelected() {
    const {func} = this.app.state;
    const node = func === null ? null : this.picture.nodeOf.get(func);
    if (node && func !== this.chosen)
      this.pan.reveal(node.group.getBoundingClientRect(), GRAPH_LEGIBLE_ZOOM);
  }

  /** A click on a name is for that one; else a box of several goes from one to the next. */
  choose(part, named) {
    const {functions} = part;
    const at = functions.indexOf(this.app.state.func);
    const func = functions.includes(named) ? named : functions[(at + 1) % functions.length];
    this.chosen = func;  // here, so it is in sight
    this.app.set({func});
    say(`${visible(this.app.model.functionLabel(func))} is selected`);
  }

  click(event) {
    if (this.pan.takeDrag()) return;
    const part = this.picture.partAt(event.target);
    if (part instanceof PictureNode)
      this.choose(part, Number(event.target.closest('[data-func]')?.dataset.func ?? -1));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const part = this.picture.partAt(event.target);
    if ((event.key === 'Enter' || event.key === ' ') && part instanceof PictureNode)
      this.choose(part, -1);
    else if (!this.pan.key(event.key))
      return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(event) {
    const part = this.picture.partAt(event.target);
    if (part && event.target.matches(':focus-visible'))
      this.pan.reveal(part.group.getBoundingClientRect(), 0);
  }

  hover(event) {
    const part = event.buttons ? null : this.picture.partAt(event.target);
    if (!part) {
      hideTip();
      return;
    }
    const lines = part instanceof PictureNode ? this.nodeTip(part) : this.edgeTip(part, event);
    showTip(event.clientX, event.clientY, ...lines);
  }

  nodeTip(node) {
    const {app, context} = this;
    const sums = app.shownSums();
    const module = app.model.moduleOf(node.functions[0]);
    return [
      ...node.functions.map(
          (func) => element(
              'p', {},
              element(
                  'span', {class: 'code'},
                  shortened(app.model.functionLabel(func), GRAPH_TIP_NAME_MAX)),
              `total ${graphValueText(context, sums.functionTotal[func])}, self ${
                  graphValueText(context, sums.functionSelf[func])}`)),
      module ? element('p', {class: 'dim'}, shortened(module.path, GRAPH_TIP_NAME_MAX)) : null
    ];
  }

  edgeTip(edge, event) {
    const {app, context, picture} = this;
    const [, ...told] = picture.tipLines(event.target);
    const name = (func) => shortened(app.model.functionLabel(func), GRAPH_TIP_NAME_MAX / 2);
    const figures = this.whole ?
        told.map((line) => line.trim()) :
        [graphValueText(context, this.edgeWeights[picture.edges.indexOf(edge)])];
    return [
      element('span', {class: 'code'}, `${name(edge.from)} → ${name(edge.to)}`),
      ...figures.map((line) => element('p', {}, line))
    ];
  }
}

/** @param {import('./app.js').App} app */
export function createGraphView(app, root) {
  const view = new GraphView(app, root);
  return {update: (changed) => view.update(changed)};
}
