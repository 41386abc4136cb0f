// SPDX-License-Identifier: MIT
/**
 * The flame graph. Its root is at the top (an "icicle"): a page is read and scrolled downwards, so
 * what most paths have in common stays where the page begins, and a graph of any depth grows where
 * there is room. With the root at the bottom a deep graph would open on its tips, its ground
 * unseen.
 *
 * The canvas is no larger than the window and stays in it (position: sticky) while the page scrolls
 * past; only what is in it is drawn. What is behind it is as high as the rows that are known, and
 * grows when its end comes near.
 */
import {element, replace} from './dom.js';
import {createFlameBar, createFlameLegend, createFlamePath} from './flame_bar.js';
import {FlameNames} from './flame_names.js';
import {FlamePainter} from './flame_paint.js';
import {FlameStack} from './flame_stack.js';
import {flameSaid, flameSummary, flameTip} from './flame_tip.js';
import {hideTip, say, showTip} from './tip.js';

/** What of the state changes where frames are; all else only how they look. */
const FLAME_MOVES = ['weight', 'threads', 'span', 'states', 'zoom', 'invert', 'rows', 'side'];

/** Rows that are known beyond those that are seen. */
const FLAME_ROWS_AHEAD = 60;

/** As high as a printed graph gets, in pixels. */
const FLAME_MOST_PRINTED = 4000;

class FlameView {
  /** @param {import('./app.js').App} app @param {HTMLElement} root */
  constructor(app, root) {
    this.app = app;
    this.rowHeight = window.matchMedia('(pointer: coarse)').matches ? 26 : 19;
    this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {
      class: 'flame-canvas',
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'flame graph'
    }));
    this.hoverBox = element('div', {class: 'flame-hover', hidden: true});
    this.focusBox = element('div', {class: 'flame-focus', hidden: true});
    this.stage = element('div', {class: 'flame-stage'}, this.canvas, this.hoverBox, this.focusBox);
    this.note = element('p', {class: 'dim', hidden: true});
    this.bar = createFlameBar(app);
    this.path = createFlamePath(app);
    root.append(this.stage);  // fonts are known of what is in the document
    this.painter = new FlamePainter(app, this.canvas, new FlameNames(app.model));
    this.legend = createFlameLegend(app, this.painter);
    replace(root, this.bar.node, this.legend.node, this.path.node, this.note, this.stage);
    this.root = root;
    this.stack = null;
    this.focus = null;
    this.hover = null;
    this.listen();
    this.setScheme();
    this.relayout();
    this.showZoomed();
  }

  listen() {
    const {canvas, root} = this;
    canvas.addEventListener('mousemove', (event) => this.point(event));
    canvas.addEventListener('mouseleave', () => this.leave());
    canvas.addEventListener('click', (event) => this.choose(this.targetAt(event)));
    canvas.addEventListener('keydown', (event) => this.move(event));
    canvas.addEventListener('focus', () => this.takeFocus());
    canvas.addEventListener('blur', () => this.dropFocusBox());
    document.addEventListener('keydown', (event) => root.hidden || this.key(event));
    window.addEventListener('scroll', () => root.hidden || this.scroll(), {passive: true});
    new ResizeObserver(() => this.resize()).observe(this.stage);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => {
      this.setScheme();
      if (!root.hidden) this.recolour();
    });
    window.addEventListener('beforeprint', () => root.hidden || this.paint(FLAME_MOST_PRINTED));
    window.addEventListener('afterprint', () => root.hidden || this.paint());
  }

  setScheme() {
    this.painter.setScheme(window.matchMedia('(prefers-color-scheme: dark)').matches);
  }

  update(changed) {
    const has = (key) => changed.has(key);
    this.leave();
    const {top} = this.stage.getBoundingClientRect();
    if ((has('invert') || has('rows')) && top < 0) window.scrollBy(0, top);
    if (FLAME_MOVES.some(has) || (has('colour') && this.isTrust !== this.wantsTrust()))
      this.relayout();
    else if (this.stage.clientWidth !== this.width)
      this.resize();
    else if (has('colour') || has('view'))
      this.recolour();
    else
      this.paint();
    if (has('zoom') && this.stack.graphs.length) this.reveal(this.zoomed());
  }

  wantsTrust() {
    return this.app.state.colour === 'trust';
  }

  /** Where frames are, anew. */
  relayout() {
    const {app} = this;
    const {state, model} = app;
    const isBase = state.side === 'base' && !!model.base;
    const focused = this.focus && this.keepFocus();
    this.width = this.stage.clientWidth;
    this.isTrust = this.wantsTrust();
    this.stack = new FlameStack(model, {
      sums: app.shownSums(),
      other: model.base ? (isBase ? app.sums() : app.baseSums()) : null,
      selection: app.selection(),
      byKind: state.rows === 'threads' && !isBase && app.head.threads.length > 0,
      trust: this.isTrust,
      pixels: this.width,
      invert: state.invert,
      zoom: state.zoom
    });
    this.recolour();
    this.focus = focused && this.findFocus(focused);
    this.placeFocus();
  }

  /** How frames look, anew, and what is said of them. */
  recolour() {
    const isInPath = this.path.node.contains(document.activeElement);
    this.bar.update();
    this.path.update();
    this.legend.update();
    if (isInPath) this.canvas.focus({preventScroll: true});  // what had it is gone
    this.paint();
    this.canvas.setAttribute('aria-label', flameSummary(this.app, this.stack));
  }

  resize() {
    if (this.root.hidden) return;
    if (this.stage.clientWidth !== this.width)
      this.relayout();
    else
      this.paint();
  }

  scroll() {
    this.leave();
    this.paint();
    if (!this.focusBox.hidden) this.showFocusTip();
  }

  /** Draws what is in the window; `most`: as many pixels from the first row on instead. */
  paint(most = 0) {
    const {stage, canvas, stack, rowHeight} = this;
    const window_ = window.innerHeight;
    const above = Math.max(0, -stage.getBoundingClientRect().top);
    stack.grow(Math.ceil((above + Math.max(window_, most)) / rowHeight) + FLAME_ROWS_AHEAD);
    const full = this.setHeight();
    const height = Math.min(full, most || window_);
    canvas.style.height = `${height}px`;
    this.top = most ? 0 : Math.min(above, full - height);
    this.painter.paint(stack, {top: this.top, width: this.width, height, rowHeight});
    this.tellNote();
  }

  /** @returns {number} pixels of all rows that are known */
  setHeight() {
    const full = Math.max(this.stack.rows, 1) * this.rowHeight;
    this.stage.style.height = `${full}px`;
    return full;
  }

  tellNote() {
    const {stack, note} = this;
    const known = stack.graphs.slice(0, stack.placed);
    const isCut = known.some((graph) => graph.layout.isCut);
    const isLost = known.length > 0 && known.every((graph) => !graph.layout.isFound);
    note.textContent = !(stack.sum > 0) ? 'Nothing that is selected has this weight.' :
        isLost ? 'The selection has nothing of the frame that is zoomed into.' :
        isCut  ? 'There are more levels than are drawn: zoom in to see them.' :
                 '';
    note.hidden = !note.textContent;
  }

  /** What is under the pointer. */
  targetAt(event) {
    const place = this.canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - place.top + this.top) / this.rowHeight);
    return this.stack.at(row, (event.clientX - place.left) / this.width);
  }

  point(event) {
    const target = this.targetAt(event);
    if (!target) {
      this.leave();
      return;
    }
    const isSame = this.hover?.graph === target.graph && this.hover.rect === target.rect;
    if (!isSame) {
      this.hover = target;
      this.hoverTip = flameTip(this.app, this.stack, target);
      this.placeBox(this.hoverBox, target);
    }
    showTip(event.clientX, event.clientY, ...this.hoverTip);
  }

  leave() {
    if (!this.hover) return;
    this.hover = null;
    this.hoverBox.hidden = true;
    hideTip();
  }

  /** What is known of the frame in focus, below it. */
  showFocusTip() {
    const place = this.focusBox.getBoundingClientRect();
    if (place.bottom <= 0 || place.top >= window.innerHeight)
      hideTip();
    else
      showTip(
          Math.max(place.left, 0), place.bottom - this.rowHeight / 2,
          ...flameTip(this.app, this.stack, this.focus));
  }

  dropFocusBox() {
    if (!this.focusBox.hidden) hideTip();
    this.focusBox.hidden = true;
  }

  placeBox(box, {graph, rect}) {
    const {layout} = graph;
    const scale = this.width / layout.scale;
    const row = graph.row + layout.rowOf(rect);
    box.style.left = `${layout.start[rect] * scale}px`;
    box.style.top = `${row * this.rowHeight}px`;
    box.style.width = `${Math.max(layout.width(rect) * scale, 3)}px`;
    box.style.height = `${this.rowHeight}px`;
    box.hidden = false;
  }

  /**
   * Selects a frame's function and zooms into it; narrow ones are seen by zooming into their
   * parent.
   */
  choose(target) {
    if (!target) return;
    const {layout} = target.graph;
    const zoom = layout.pathOf(target.rect);
    const func = layout.func[target.rect];
    this.focus = target;
    this.app.set(func >= 0 ? {func, zoom} : {zoom});
  }

  zoomOut() {
    const {zoom} = this.app.state;
    if (zoom.length) this.app.set({zoom: zoom.slice(0, -1)});
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input, textarea, select')) return;
    if (event.key === 'Backspace')
      this.zoomOut();
    else if (event.key === 'i')
      this.app.set({invert: !this.app.state.invert, zoom: []});
    else
      return;
    event.preventDefault();
  }

  /** Keys that move the focus frame. */
  move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.stack.graphs.length) return;
    const target = this.focus ?? this.zoomed();
    const {graph, rect} = target;
    const {layout} = graph;
    let next = null;
    if (event.key === 'Enter' || event.key === ' ')
      this.choose(target);
    else if (event.key === 'ArrowUp')
      next = rect > 0 ? {graph, rect: layout.parent[rect]} : this.otherGraph(graph, -1);
    else if (event.key === 'ArrowDown')
      next = this.below(target);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      next = this.beside(target, event.key === 'ArrowLeft' ? -1 : 1);
    else if (event.key === 'Home')
      next = {graph: this.stack.graphs[0], rect: 0};
    else
      return;
    event.preventDefault();
    if (next) this.setFocus(next);
  }

  below({graph, rect}) {
    const {layout} = graph;
    this.stack.grow(graph.row + layout.rowOf(rect) + 2);
    const [first, end] = layout.childrenOf(rect);
    return first < end ? {graph, rect: first} : null;
  }

  beside({graph, rect}, step) {
    const {layout} = graph;
    if (rect === 0) return this.otherGraph(graph, step);
    const row = layout.rowOf(rect);
    const next = rect + step;
    const isInRow = next >= layout.rowStart[row] && next < layout.rowStart[row + 1];
    return isInRow ? {graph, rect: next} : null;
  }

  /** The root of the graph above or below. */
  otherGraph(graph, step) {
    const index = this.stack.graphs.indexOf(graph) + step;
    if (index < 0 || index >= this.stack.graphs.length) return null;
    while (this.stack.placed <= index) this.stack.grow(this.stack.rows + FLAME_ROWS_AHEAD);
    return {graph: this.stack.graphs[index], rect: 0};
  }

  /** The frame that fills the width. */
  zoomed() {
    const [graph] = this.stack.graphs;
    return graph ? {graph, rect: graph.layout.above} : null;
  }

  /** By keys, not by a click: the frame in focus is seen and said. */
  takeFocus() {
    if (!this.stack || !this.canvas.matches(':focus-visible')) return;
    this.setFocus(this.focus ?? this.zoomed());
  }

  setFocus(target) {
    this.focus = target;
    if (!target) return;
    this.reveal(target);
    this.placeFocus();
    say(flameSaid(this.app, this.stack, target));
  }

  placeFocus() {
    if (this.focus && this.canvas.matches(':focus-visible')) {
      this.placeBox(this.focusBox, this.focus);
      this.showFocusTip();
    } else {
      this.dropFocusBox();
    }
  }

  /** Scrolls until a frame is in the window. */
  reveal({graph, rect}) {
    const {rowHeight} = this;
    this.setHeight();
    const y =
        this.stage.getBoundingClientRect().top + (graph.row + graph.layout.rowOf(rect)) * rowHeight;
    if (y < 0)
      window.scrollBy(0, y - 3 * rowHeight);
    else if (y + rowHeight > window.innerHeight)
      window.scrollBy(0, y - window.innerHeight + 4 * rowHeight);
  }

  /** What the focus is on, in words that outlive a layout. */
  keepFocus() {
    const {graph, rect} = this.focus;
    return {name: graph.name, path: graph.layout.pathOf(rect), invert: graph.layout.invert};
  }

  findFocus({name, path, invert}) {
    const graph = this.stack.graphs.find((known) => known.name === name) ?? this.stack.graphs[0];
    if (!graph || this.stack.graphs.indexOf(graph) >= this.stack.placed) return this.zoomed();
    if (graph.layout.invert !== invert) return this.zoomed();
    return {graph, rect: Math.max(graph.layout.find(path), graph.layout.above)};
  }

  /** A link may lead to a frame far down. */
  showZoomed() {
    const target = this.zoomed();
    if (target && target.rect * this.rowHeight > window.innerHeight / 2) this.reveal(target);
  }
}

/** @param {import('./app.js').App} app @param {HTMLElement} root */
export function createFlameView(app, root) {
  const view = new FlameView(app, root);
  return {update: (changed) => view.update(changed)};
}
