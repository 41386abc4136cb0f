// SPDX-License-Identifier: MIT
/** Moves and zooms a picture in a box: by pointers, wheel and keyboard. */

const GRAPH_ZOOM_STEP = 1.25;
const GRAPH_ZOOM_MAX = 8;
const GRAPH_DRAG_FROM = 4;  // pixels; less is a click
const GRAPH_PAN_STEP = 60;  // pixels, by an arrow key
const GRAPH_FIT_MAX = 1.6;  // a small picture is not blown up
const GRAPH_FIT_MARGIN = 8;

export class PanZoom {
  /** @param {HTMLElement} box @param {SVGSVGElement} svg */
  constructor(box, svg) {
    this.box = box;
    this.svg = svg;
    const view = (svg.getAttribute('viewBox') ?? '').trim().split(/[\s,]+/).map(Number);
    this.area = view.length === 4 && view.every(Number.isFinite) && view[2] > 0 && view[3] > 0 ?
        {x: view[0], y: view[1], width: view[2], height: view[3]} :
        {x: 0, y: 0, width: 1000, height: 1000};
    const {x, y, width, height} = svg.getBBox();  // less than was made room for, without its head
    if (width > 0 && height > 0) this.area = {x, y, width, height};
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    this.pointers = new Map();
    this.dragged = false;
    this.isFit = true;
    box.addEventListener('pointerdown', (event) => this.press(event));
    box.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'])
      box.addEventListener(end, (event) => this.release(event));
    box.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    this.fit();
  }

  get width() {
    return Math.max(1, this.box.clientWidth);
  }

  get height() {
    return Math.max(1, this.box.clientHeight);
  }

  fitZoom() {
    return Math.min(
        (this.width - 2 * GRAPH_FIT_MARGIN) / this.area.width,
        (this.height - 2 * GRAPH_FIT_MARGIN) / this.area.height, GRAPH_FIT_MAX);
  }

  fit() {
    this.isFit = true;
    this.zoom = Math.max(0.01, this.fitZoom());
    this.x = this.area.x + this.area.width / 2;
    this.y = this.area.y + this.area.height / 2;
    this.show();
  }

  /**
   * Begins with all of the picture where it can be read so, else at a zoom at which it can, with a
   * part of it (in pixels of the window) at the top.
   */
  open(leastZoom, part) {
    this.fit();
    if (this.zoom >= leastZoom || !part) return;
    const box = this.box.getBoundingClientRect();
    const x = this.x + ((part.left + part.right) / 2 - (box.left + box.right) / 2) / this.zoom;
    const y = this.y + (part.top - (box.top + box.bottom) / 2) / this.zoom;
    this.zoom = leastZoom;
    this.isFit = false;
    this.x = this.within(x, this.area.x, this.area.width, this.width);
    this.y = this.within(
        y + this.height / this.zoom / 2 - GRAPH_FIT_MARGIN, this.area.y, this.area.height,
        this.height);
    this.show();
  }

  /** The middle of what is shown such that it has no room beside the picture. */
  within(middle, begin, length, pixels) {
    const half = pixels / this.zoom / 2 - GRAPH_FIT_MARGIN;
    if (2 * half >= length) return begin + length / 2;
    return Math.max(begin + half, Math.min(middle, begin + length - half));
  }

  /** After the box got another size. */
  resize() {
    if (this.isFit)
      this.fit();
    else
      this.show();
  }

  /** The middle stays within the picture. */
  show() {
    const {x, y, width, height} = this.area;
    this.x = Math.max(x, Math.min(this.x, x + width));
    this.y = Math.max(y, Math.min(this.y, y + height));
    const [w, h] = [this.width / this.zoom, this.height / this.zoom];
    this.svg.setAttribute('viewBox', `${this.x - w / 2} ${this.y - h / 2} ${w} ${h}`);
  }

  /** On paper all of the picture is seen, as wide as there is room. */
  print() {
    const {x, y, width, height} = this.area;
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  /** Zooms around a place of the box, in pixels; its middle if none is given. */
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const least = Math.min(this.fitZoom(), 1) / 2;
    const zoom = Math.max(least, Math.min(this.zoom * factor, GRAPH_ZOOM_MAX));
    const [dx, dy] = [px - this.width / 2, py - this.height / 2];
    this.x += dx / this.zoom - dx / zoom;
    this.y += dy / this.zoom - dy / zoom;
    this.zoom = zoom;
    this.isFit = false;
    this.show();
  }

  panBy(dx, dy) {
    this.x += dx / this.zoom;
    this.y += dy / this.zoom;
    this.isFit = false;
    this.show();
  }

  /**
   * Brings a part of the picture, given in pixels of the window, into sight; where all is smaller
   * than `leastZoom`, as large as the picture was made.
   */
  reveal(part, leastZoom) {
    const box = this.box.getBoundingClientRect();
    const inside = part.left >= box.left && part.right <= box.right && part.top >= box.top &&
        part.bottom <= box.bottom;
    if (inside && this.zoom >= leastZoom) return;
    this.x += ((part.left + part.right) / 2 - (box.left + box.right) / 2) / this.zoom;
    this.y += ((part.top + part.bottom) / 2 - (box.top + box.bottom) / 2) / this.zoom;
    if (this.zoom < leastZoom) this.zoom = 1;
    this.isFit = false;
    this.show();
  }

  /** Was the click that comes now the end of a drag? */
  takeDrag() {
    const dragged = this.dragged;
    this.dragged = false;
    return dragged;
  }

  press(event) {
    if (event.button !== 0 || event.target.closest('button')) return;
    if (this.pointers.size === 0) this.dragged = false;
    this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY, from: event});
  }

  move(event) {
    const at = this.pointers.get(event.pointerId);
    if (!at) return;
    const far = Math.hypot(event.clientX - at.from.clientX, event.clientY - at.from.clientY);
    if (!this.dragged && far < GRAPH_DRAG_FROM) return;
    if (!this.dragged) this.box.setPointerCapture(event.pointerId);
    this.dragged = true;
    const spread = this.spread();
    const [dx, dy] = [event.clientX - at.x, event.clientY - at.y];
    at.x = event.clientX;
    at.y = event.clientY;
    this.panBy(-dx / this.pointers.size, -dy / this.pointers.size);
    const after = this.spread();
    if (spread && after) {
      const box = this.box.getBoundingClientRect();
      this.zoomBy(after.size / spread.size, after.x - box.left, after.y - box.top);
    }
  }

  /** Of two fingers: how far apart they are, and their middle. */
  spread() {
    if (this.pointers.size !== 2) return null;
    const [a, b] = [...this.pointers.values()];
    return {
      size: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2
    };
  }

  release(event) {
    this.pointers.delete(event.pointerId);
  }

  /** With Ctrl alone: the page has to scroll. */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.box.getBoundingClientRect();
    this.zoomBy(
        Math.exp(-Math.max(-100, Math.min(event.deltaY, 100)) / 300), event.clientX - box.left,
        event.clientY - box.top);
  }

  /** @returns {boolean} whether the key was for the picture */
  key(key) {
    const pans = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (key === '+' || key === '=')
      this.zoomBy(GRAPH_ZOOM_STEP);
    else if (key === '-')
      this.zoomBy(1 / GRAPH_ZOOM_STEP);
    else if (key === '0')
      this.fit();
    else if (pans[key])
      this.panBy(pans[key][0] * GRAPH_PAN_STEP, pans[key][1] * GRAPH_PAN_STEP);
    else
      return false;
    return true;
  }
}
