// SPDX-License-Identifier: MIT
/** Names of functions as they fit into a frame of a flame graph. */
import {shortened} from './dom.js';

/** No frame shows more of a name: names may be of 64 KiB. */
const FLAME_LONGEST_NAME = 500;

/**
 * What stands in brackets of templates and arguments becomes "..", as in the call graph
 * (src/base/label.c). Where brackets do not match (operator<<) the name stays as it is.
 */
export function elided(name) {
  let out = '';
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    if ('>)}]'.includes(name[i])) {
      if (--depth < 0) return name;
      if (depth === 0 && !'<({['.includes(name[i - 1])) out += '..';
    }
    if (depth === 0) out += name[i];
    if ('<({['.includes(name[i])) depth++;
  }
  return depth === 0 ? out : name;
}

/** Names of one page's functions, each cleaned and shortened once. */
export class FlameNames {
  /** @param {import('./model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.known = new Map();
  }

  /** From the whole name to its last part: what it is in is left out before what it is. */
  forms(func) {
    if (!this.known.has(func)) {
      const full = shortened(this.model.functionLabel(func), FLAME_LONGEST_NAME);
      const parts = elided(full).split('::');
      const forms = [full, ...parts.map((_, i) => parts.slice(i).join('::'))];
      this.known.set(func, [...forms, parts.at(-1).replace(/(?<=.)\(\.\.\).*$/, '')]);
    }
    return this.known.get(func);
  }

  /** At most so many characters of it; '' where no more than a few would be left. */
  fitted(func, most) {
    if (most < 3) return '';
    const forms = this.forms(func);
    return forms.find((form) => form.length <= most) ?? shortened(forms.at(-1), most);
  }
}

/** All that is shown of a name in words. */
export function flameFullName(model, func, most = 2000) {
  return shortened(model.functionLabel(func), most);
}
