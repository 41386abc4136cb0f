// SPDX-License-Identifier: MIT
/**
 * Functions that a value divides ("handle [kind=READ]"): which is a part of which, and the page
 * with the parts together again. Knows no DOM.
 */
export class Division {
  /** @param head the payload's @param {Uint32Array} func by frame its function, divided */
  constructor(head, func) {
    this.head = head;
    this.whole = head.functions.whole ?? null;  // by part; null: nothing is divided
    this.func = func;
    this.divided = true;
    this.followers = [];
    if (this.whole) this.prepare();
  }

  prepare() {
    const {name} = this.head.functions;
    this.parts = new Map();       // by whole
    const wholeName = new Map();  // by the name of a part
    for (const [part, whole] of Object.entries(this.whole)) {
      if (!this.parts.has(whole)) this.parts.set(whole, []);
      this.parts.get(whole).push(Number(part));
      wholeName.set(name[Number(part)], name[whole]);
    }
    this.joined = this.func.map((func) => this.wholeOf(func));
    this.used = new Uint8Array(name.length);
    for (const func of this.func) this.used[func] = 1;
    const own = this.head.texts ?? [];
    this.texts = {own, joined: own.map((text) => wholeName.get(text) ?? text)};
    const first = new Map();  // by text: its first place
    this.texts.joined.forEach((text, i) => {
      if (!first.has(text)) first.set(text, i);
    });
    /** By 1 + its place in the head's texts: the same of the first that is equal when joined. */
    this.textOf = Uint32Array.of(0, ...this.texts.joined.map((text) => first.get(text) + 1));
  }

  /** Is there anything to choose? */
  exists() {
    return this.whole !== null;
  }

  wholeOf(func) {
    return this.whole?.[func] ?? func;
  }

  /** Functions that are parts of one; none: it is not divided. */
  partsOf(func) {
    return this.parts?.get(func) ?? [];
  }

  /** The function is there by itself when all are divided. */
  isOwn(func) {
    return !this.whole || this.used[func] === 1;
  }

  frameFunctions() {
    return this.divided ? this.func : this.joined;
  }

  /** @returns {boolean} it changed */
  set(divided) {
    if (!this.whole || divided === this.divided) return false;
    this.divided = divided;
    if (this.head.texts) this.head.texts = divided ? this.texts.own : this.texts.joined;
    for (const follow of this.followers) follow();
    return true;
  }

  /** Calls `follow(places)` now and at each change: what texts' places stand for; null: as is. */
  followTexts(follow) {
    if (!this.whole) return;
    const tell = () => follow(this.divided ? null : this.textOf);
    this.followers.push(tell);
    tell();
  }
}
