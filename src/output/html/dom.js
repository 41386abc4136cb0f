// SPDX-License-Identifier: MIT
/** Elements. What comes from a capture becomes text, never markup. */

const SVG_NS = 'http://www.w3.org/2000/svg';

function fill(node, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on'))
      node.addEventListener(key.slice(2), value);
    else
      node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/**
 * `element('button', {class: 'chip', onclick: f}, 'text', node)`: an attribute that is null,
 * undefined or false is left out; true stands for an empty one.
 */
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svgElement(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG_NS, tag), properties, children);
}

// Marks that reorder text, or are not seen; and control characters.
// eslint-disable-next-line no-control-regex
const UNSEEN =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What is shown of a name: characters that are not seen, or turn others around, as \uXXXX. */
export function visible(name) {
  return name.replace(UNSEEN, escaped);
}

/** The same, with its middle left out where it is longer than `most` characters. */
export function shortened(name, most) {
  const text = visible(name);
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

/** Replaces what is in a node. */
export function replace(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}
