// SPDX-License-Identifier: MIT
/**
 * A picture from the payload, made anew from its shapes and texts alone: no script, no link, no
 * style, nothing that is fetched can come with it.
 */
import {svgElement, visible} from './dom.js';

const SVG_DRAWN = new Set([
  'svg', 'g', 'path', 'polygon', 'polyline', 'rect', 'circle', 'ellipse', 'line', 'text', 'tspan'
]);

const SVG_ATTRIBUTES = new Set([
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'dx',
  'dy',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'width',
  'height',
  'viewBox',
  'points',
  'd',
  'transform',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'text-decoration'
]);

const XLINK_NS = 'http://www.w3.org/1999/xlink';

function isPlainValue(value) {
  return !/url\s*\(|:|\\|\/\*/i.test(value);
}

/** "fill:red; stroke-width:2" as attributes: a page that allows no styles would not have it. */
function styleAttributes(text) {
  const found = {};
  for (const part of text.split(';')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    const value = part.slice(colon + 1).trim();
    if (SVG_ATTRIBUTES.has(name) && isPlainValue(value)) found[name] = value;
  }
  return found;
}

/**
 * Its identifier, class, tooltip and the length that a text was given go into data attributes,
 * where they clash with nothing and squeeze no letters.
 */
function safeAttributes(node) {
  const found = {};
  for (const {name, value} of node.attributes)
    if (SVG_ATTRIBUTES.has(name) && isPlainValue(value)) found[name] = value;
  Object.assign(found, styleAttributes(node.getAttribute('style') ?? ''));
  const kind = node.getAttribute('class') ?? '';
  const id = node.getAttribute('id') ?? '';
  const tip = node.getAttributeNS(XLINK_NS, 'title') ?? '';
  if (/^[a-z]+$/.test(kind)) found['data-kind'] = kind;
  if (/^[\w-]+$/.test(id) && node.localName === 'g') found['data-id'] = id;
  if (tip.trim()) found['data-tip'] = tip;
  const length = node.getAttribute('textLength') ?? '';
  if (/^[\d.]+$/.test(length)) found['data-length'] = length;
  return found;
}

function copyInto(to, from) {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
      if (to.localName === 'text' || to.localName === 'tspan')
        to.append(visible(child.textContent));
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      const tag = child.localName === 'a' ? 'g' : child.localName;
      if (!SVG_DRAWN.has(tag)) continue;
      const copy = svgElement(tag, safeAttributes(child));
      copyInto(copy, child);
      to.append(copy, tag === 'tspan' ? '' : '\n');  // so that lines are words apart when read
    }
  }
}

/** @returns {SVGSVGElement|null} null: the text is no picture */
export function safeSvg(text) {
  const {documentElement: root} = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (root.localName !== 'svg') return null;
  const svg = svgElement('svg', safeAttributes(root));
  copyInto(svg, root);
  return svg;
}
