// SPDX-License-Identifier: MIT
/** The picture of the call graph: which function is which box, and figures put into boxes. */
import {visible} from './dom.js';

const PICTURE_SHAPES = 'path, polygon, ellipse, rect';
const PICTURE_TEXT_MARGIN = 6;
const PICTURE_FONT_SIZE = 10;

// Lines that src/output/dot.c writes below a box's name, the last ones of its texts.
const CHANGE_LINE = /^[+-]?\d+\.\d\d%~?, was /;
const SELF_LINE = /^self \d+\.\d% \(/;

/** How many of a box's lines are figures: one of the total, then of self and change, if any. */
export function figureLines(texts) {
  let count = 1;
  if (CHANGE_LINE.test(texts.at(-count) ?? '')) count++;
  if (SELF_LINE.test(texts.at(-count) ?? '')) count++;
  return Math.min(count, texts.length);
}

/** Which function each line of a box names, or -1: a line each, some of many left out. */
export function namedFunctions(lineCount, functions) {
  const lines = new Array(lineCount).fill(functions[0]);
  if (functions.length === 1) return lines;
  if (lineCount === functions.length) return [...functions];
  for (let i = 0; i < lineCount; i++) lines[i] = i < lineCount - 2 ? functions[i] ?? -1 : -1;
  lines[lineCount - 1] = functions.at(-1);
  return lines;
}

/** Indices in "n12_13", "e4_5", if all are below `limit`; else null. */
export function readPictureId(id, letter, limit) {
  if (!new RegExp(`^${letter}\\d+(_\\d+)*$`).test(id)) return null;
  const indices = id.slice(1).split('_').map(Number);
  return indices.every((index) => index < limit) ? indices : null;
}

function attributeNumber(node, name) {
  return Number(node?.getAttribute(name)) || 0;
}

/** What a drawn thing looked like when it came, to go back to. */
class PictureOriginal {
  constructor(nodes, names) {
    this.kept = nodes.map((node) => ({
                            node,
                            text: node.localName === 'text' ? node.textContent : null,
                            values: names.map((name) => [name, node.getAttribute(name)])
                          }));
  }

  restore() {
    for (const {node, text, values} of this.kept) {
      if (text !== null) node.textContent = text;
      for (const [name, value] of values)
        if (value === null)
          node.removeAttribute(name);
        else
          node.setAttribute(name, value);
    }
  }
}

export class PictureNode {
  constructor(group, functions) {
    this.group = group;
    this.functions = functions;
    this.shapes = [...group.querySelectorAll(PICTURE_SHAPES)];
    this.texts = [...group.querySelectorAll('text')];
    this.extra = [];
    const figures = figureLines(this.texts.map((text) => text.textContent.trim()));
    this.names = this.texts.slice(0, this.texts.length - figures);
    this.lines = namedFunctions(this.names.length, functions);
    this.names.forEach((text, i) => {
      text.dataset.func = this.lines[i];
    });
    this.size = attributeNumber(this.texts[0], 'font-size') || PICTURE_FONT_SIZE;
    this.keep();
  }

  keep() {
    this.original =
        new PictureOriginal([...this.shapes, ...this.texts], ['fill', 'stroke', 'y', 'font-size']);
  }

  /** Of a trace, the first and last call's boxes have borders of their own. */
  get isMarked() {
    return Number(this.shapes[0]?.getAttribute('stroke-width')) > 2;
  }

  restore() {
    for (const text of this.extra) text.remove();
    this.extra = [];
    this.original.restore();
  }

  /** @param {{lines: string[], fill: string, line: string}} figures of nodeFigures */
  write(figures) {
    this.restore();
    this.shapes.forEach((shape, i) => {
      if (i === 0) shape.setAttribute('fill', figures.fill);
      if (!this.isMarked) shape.setAttribute('stroke', figures.line);
    });
    this.placeLines(figures.lines);
  }

  /** Lines stay in the middle of the box, smaller where they are more than it was made for. */
  placeLines(lines) {
    if (!this.texts.length) return;
    const texts = [...this.texts];
    const last = texts.at(-1);
    const had = texts.length;
    const count = this.names.length + lines.length;
    const {size} = this;
    const [top, bottom] = [attributeNumber(texts[0], 'y'), attributeNumber(last, 'y')];
    const smaller = Math.min(1, had / count);
    const step = (had > 1 ? (bottom - top) / (had - 1) : size * 1.1) * smaller;
    while (texts.length < count) {
      const text = last.cloneNode(false);
      last.parentNode.append(text, '\n');
      this.extra.push(text);
      texts.push(text);
    }
    const middle = (top + bottom) / 2 - (size * (1 - smaller)) / 3;
    texts.forEach((text, i) => {
      if (i >= this.names.length) {
        text.textContent = lines[i - this.names.length] ?? '';
        text.setAttribute('font-size', String(size));
      }
      text.setAttribute('y', (middle + (i - (count - 1) / 2) * step).toFixed(2));
      if (smaller < 1)
        text.setAttribute('font-size', (attributeNumber(text, 'font-size') * smaller).toFixed(2));
    });
  }

  /** How wide its texts are, and the box. */
  measure() {
    const width = this.shapes[0]?.getBBox().width ?? 0;
    return {
      width,
      lengths: [...this.texts, ...this.extra].map((text) => [text, text.getComputedTextLength()])
    };
  }

  /** Makes texts smaller that are wider than the box. @param measured of measure() */
  fit({width, lengths}) {
    const room = width - PICTURE_TEXT_MARGIN;
    for (const [text, length] of lengths)
      if (room > 0 && length > room) {
        const size = attributeNumber(text, 'font-size') || PICTURE_FONT_SIZE;
        text.setAttribute('font-size', ((size * room) / length).toFixed(2));
      }
  }
}

export class PictureEdge {
  constructor(group, [from, to]) {
    this.group = group;
    this.from = from;
    this.to = to;
    this.tip = '';
    this.lines = [...group.querySelectorAll('path, polygon, polyline')];
    this.texts = [...group.querySelectorAll('text')];
    // A longer label grows away from its arrow, which is at its left.
    for (const text of this.texts) {
      if (!text.dataset.length) continue;
      text.setAttribute('x', attributeNumber(text, 'x') - Number(text.dataset.length) / 2);
      text.setAttribute('text-anchor', 'start');
    }
    this.original =
        new PictureOriginal([...this.lines, ...this.texts], ['fill', 'stroke', 'stroke-width']);
  }

  restore() {
    this.original.restore();
  }

  /** A call site's line is of the whole capture and goes. @param figures of edgeFigures */
  write(figures) {
    this.restore();
    for (const line of this.lines) {
      line.setAttribute('stroke', figures.line);
      line.setAttribute('stroke-width', figures.width);
      if (line.localName === 'polygon') line.setAttribute('fill', figures.line);
    }
    this.texts.forEach((text, i) => {
      const before = /^\s*(?:#\d+: )?/.exec(text.textContent)[0];
      text.textContent = i === 0 && figures.label ? before + figures.label : '';
    });
  }
}

/** Which line at the head of a picture tells how it was laid out; so do those behind it. */
const LAYOUT_LINE = /^\d+ \w+(?: in \d+ box(?:es)?)?, \d+ \w+ shown$/;

/**
 * Takes the lines above a picture away: the page says what they tell of, and they would not follow
 * what is selected. @returns {string[]} those of how the picture was laid out
 */
function takeHead(svg) {
  const head = svg.querySelector('[data-id="a_graph0"]');
  const lines = [...head?.querySelectorAll('text') ?? []].map((text) => text.textContent.trim());
  head?.remove();
  const at = lines.map((line) => LAYOUT_LINE.test(line)).lastIndexOf(true);
  return at < 0 ? [] : lines.slice(at);
}

/** Finds boxes and arrows of a picture; none where it has no identifiers of functions. */
export class Picture {
  /** @param {SVGSVGElement} svg of safeSvg */
  constructor(svg, functionCount) {
    this.svg = svg;
    this.nodes = [];
    this.edges = [];
    for (const group of /** @type {NodeListOf<SVGGElement>} */ (
             svg.querySelectorAll('g[data-id]'))) {
      const {id, kind} = group.dataset;
      const node = kind === 'node' ? readPictureId(id, 'n', functionCount) : null;
      const edge = kind === 'edge' ? readPictureId(id, 'e', functionCount) : null;
      if (node) this.nodes.push(new PictureNode(group, node));
      if (edge?.length === 2) this.edges.push(new PictureEdge(group, edge));
    }
    this.nodeOf = new Map(this.nodes.flatMap((node) => node.functions.map((func) => [func, node])));
    this.groups = new Map([...this.nodes, ...this.edges].map((part) => [part.group, part]));
    this.layout = this.nodes.length ? takeHead(svg) : [];
  }

  /** Once the picture is in the document: letters of its own font fit into the boxes. */
  settle() {
    const measured = this.nodes.map((node) => node.measure());
    this.nodes.forEach((node, i) => {
      node.fit(measured[i]);
      node.keep();
    });
  }

  /** The least size of letters that many boxes have, in the picture's units. */
  fontSize() {
    const sizes = this.nodes.map((node) => node.size).sort((a, b) => a - b);
    return sizes[Math.floor(sizes.length / 10)] ?? PICTURE_FONT_SIZE;
  }

  /** The box or arrow that an element of the document is in, or null. */
  partAt(element) {
    for (let node = element; node && node !== this.svg; node = node.parentNode)
      if (this.groups.has(node)) return this.groups.get(node);
    return null;
  }

  /** The lines of the tooltip that the picture came with. */
  tipLines(element) {
    const tip = element.closest?.('[data-tip]')?.dataset.tip ?? '';
    return tip.split('\n').map((line) => visible(line));
  }
}
