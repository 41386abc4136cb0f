// SPDX-License-Identifier: MIT
/** Which thread made which, and what each used: a tree of kinds of threads, or a sorted list. */
import {countText, percentText, timeText, WEIGHT_NAMES, weightText, weightWords} from './amounts.js';
import {element, replace, visible} from './dom.js';
import {stateBar} from './piece_words.js';
import {PIECE_STATES} from './pieces.js';
import {bytesText, threadDetail} from './thread_detail.js';
import {lifeOf, sortedRows, statesOf, sumWhole, treeRows} from './threads_rows.js';
import {appPieces, pieceSelection} from './time_data.js';
import {say} from './tip.js';
import {threadCount, threadName} from './words.js';

const THREAD_PITCH = 28;
const THREAD_HEAD = 44;
const THREAD_INDENT = 16;
const THREAD_INDENTS = 10;

class ThreadsView {
  constructor(app, root) {
    this.app = app;
    const {head} = app;
    this.hasPieces = !!head.columns['thread.pieces'] && !!head.time;
    this.opened = new Map();
    this.sort = '';  // a column's id; '': the tree
    this.ascending = false;
    this.active = '';  // key of the row that has the keyboard
    this.lastPicked = '';
    this.columns = [
      {
        id: 'weight',
        name: '',
        title: 'In the chosen time and states',
        of: (row) => this.weight(row)
      },
      {
        id: 'states',
        name: 'States',
        title: 'What they did in the chosen time. Of what was running or ready as much ran as ' +
            'CPU time was used.'
      },
      {
        id: 'cpu',
        name: 'CPU time',
        whole: true,
        from: 'by the kernel',
        title: 'The kernel\'s count, with what is charged to no sample.',
        of: (row) => sumWhole(head, row.threads, 'cpu_ns')
      },
      {
        id: 'samples',
        name: 'Samples',
        whole: true,
        of: (row) => sumWhole(head, row.threads, 'samples')
      },
      {
        id: 'life',
        name: 'Seen',
        whole: true,
        title: 'When it was made and when it ended, where that was within the capture.',
        of: (row) => -(lifeOf(head, row.threads).begin ?? -1)
      },
      {
        id: 'stack',
        name: 'Stack used',
        whole: true,
        title: 'The deepest that samples saw, of what is mapped',
        of: (row) => this.deepest(row).used
      },
    ].filter(({id}) => this.hasColumn(id));
    this.makeDom(root);
    this.makeHead();
  }

  hasColumn(id) {
    const {threads} = this.app.head;
    if (id === 'states') return this.hasPieces;
    if (id === 'samples') return !!this.app.head.time;
    if (id === 'cpu') return threads.some(({cpu_ns: cpu}) => cpu !== undefined);
    if (id === 'life')
      return threads.some(({begin_ns: from, end_ns: to}) => from !== undefined || to !== undefined);
    if (id === 'stack') return threads.some(({stack_used: used}) => used);
    return true;
  }

  makeDom(root) {
    this.headRow = element('div', {class: 'th-row th-head', role: 'row'});
    this.body = element('div', {class: 'th-body', role: 'rowgroup'});
    this.grid = element(
        'div', {
          class: `th-grid th-with-${this.columns.length}`,
          role: 'treegrid',
          'aria-label': 'Threads',
          'aria-multiselectable': 'true',
          tabindex: '0',
          onkeydown: (event) => this.key(event),
          onscroll: () => this.showRows(),
        },
        element('div', {role: 'rowgroup', class: 'th-top'}, this.headRow), this.body);
    this.note = element('p', {class: 'dim'});
    this.detail = element('aside', {class: 'panel th-detail', 'aria-label': 'The thread'});
    this.treeButton = element(
        'button', {
          type: 'button',
          class: 'button',
          onclick: () => {
            this.sort = '';
            this.list();
          }
        },
        'As a tree');
    replace(
        root, element('div', {class: 'bar-row'}, this.note, this.treeButton),
        element('div', {class: 'th-both'}, this.grid, this.detail));
  }

  // Figures.

  weight({threads}) {
    return threads.reduce((sum, thread) => sum + this.weights[thread], 0);
  }

  deepest({threads}) {
    let best = {used: 0, mapped: 0};
    for (const thread of threads) {
      const {stack_used: used = 0, stack_mapped: mapped = 0} = this.app.head.threads[thread];
      if (used > best.used) best = {used, mapped};
    }
    return best;
  }

  lifeText({threads}) {
    const {begin, end} = lifeOf(this.app.head, threads);
    if (begin === null && end === null) return 'throughout';
    if (end === null) return `from ${timeText(begin)}`;
    return begin === null ? `until ${timeText(end)}` : `${timeText(begin)} – ${timeText(end)}`;
  }

  measure() {
    const {app} = this;
    const count = app.head.threads.length;
    this.weights = app.model.weighThreads({...app.selection(), threads: null});
    this.weightSum = this.weights.reduce((sum, value) => sum + value, 0);
    this.byThread = this.hasPieces ?
        appPieces(app).sumThreads({...pieceSelection(app), threads: null}) :
        new Float64Array(count * PIECE_STATES.length);
    this.longest = 0;
    for (let thread = 0; thread < count; thread++)
      this.longest = Math.max(
          this.longest, statesOf(this.byThread, [thread]).reduce((sum, ns) => sum + ns, 0));
  }

  // Rows.

  list() {
    const column = this.columns.find(({id}) => id === this.sort);
    this.rows = column?.of ?
        sortedRows(this.app.head, (thread) => column.of({threads: [thread]}), this.ascending) :
        treeRows(this.app.head, this.opened);
    if (!this.rows.some(({key}) => key === this.active)) this.active = '';
    this.body.style.height = `${this.rows.length * THREAD_PITCH}px`;
    this.grid.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.treeButton.hidden = !this.sort;
    this.showHead();
    this.showRows();
    this.showDetail();
  }

  makeHead() {
    for (const column of this.columns) {
      const {id, whole, title = ''} = column;
      column.label = element('span', {}, column.name);
      column.arrow = element('span', {'aria-hidden': 'true'});
      column.span = element('span', {class: 'th-of'});
      const sort = {type: 'button', class: 'th-sort', onclick: () => this.sortBy(id)};
      column.node = element(
          'div', {
            role: 'columnheader',
            class: `th-cell th-${id}`,
            title: `${title}${whole ? ' Of the whole capture.' : ''}`.trim()
          },
          column.of ? element('button', sort, column.label, column.arrow) : column.label,
          column.span);
    }
    replace(
        this.headRow, element('div', {role: 'columnheader', class: 'th-cell th-name'}, 'Thread'),
        ...this.columns.map(({node}) => node));
  }

  showHead() {
    for (const {id, whole, from, label, arrow, span, node} of this.columns) {
      if (id === 'weight') label.textContent = WEIGHT_NAMES[this.app.state.weight];
      const sorted = this.sort === id;
      node.setAttribute(
          'aria-sort',
          !sorted            ? 'none' :
              this.ascending ? 'ascending' :
                               'descending');
      arrow.textContent = !sorted ? '' : this.ascending ? ' ▴' : ' ▾';
      span.textContent = this.ofWhat(id, whole, from);
    }
  }

  /** Of what time a column is; of two of CPU time also who counted it. */
  ofWhat(id, whole, from) {
    if (!this.app.head.time) return '';
    if (from) return from;
    if (whole) return 'whole capture';
    if (this.app.state.span) return 'chosen time';
    return id === 'weight' && this.app.state.weight === 'cpu' ? 'by samples' : 'all of the time';
  }

  sortBy(id) {
    this.ascending = this.sort === id && !this.ascending;
    this.sort = id;
    this.list();
  }

  /** Rows that are seen. */
  showRows() {
    if (!this.rows) return;
    const room = this.grid.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.grid.scrollTop / THREAD_PITCH) - 2);
    const last = Math.min(this.rows.length, first + Math.ceil(room / THREAD_PITCH) + 4);
    replace(
        this.body, ...this.rows.slice(first, last).map((row, i) => this.makeRow(row, first + i)));
    this.grid.setAttribute('aria-activedescendant', this.activeId());
  }

  activeId() {
    return this.active ? `th-${this.active}` : '';
  }

  isChosen({threads}) {
    const chosen = this.app.selection().threads;
    return !!chosen && threads.length > 0 && threads.every((thread) => chosen[thread]);
  }

  makeRow(row, index) {
    const node = element(
        'div', {
          class: `th-row${row.key === this.active ? ' th-active' : ''}`,
          role: 'row',
          id: `th-${row.key}`,
          'aria-level': String(row.depth + 1),
          'aria-rowindex': String(index + 2),
          'aria-selected': String(this.isChosen(row)),
          'aria-expanded': row.open === null ? undefined : String(row.open),
          onclick: (event) => this.choose(index, event),
        },
        this.nameCell(row),
        ...this.columns.map(
            ({id}) => element(
                'div', {role: 'gridcell', class: `th-cell th-${id}`},
                row.threads.length ? this.cell(id, row) : null)));
    node.style.top = `${index * THREAD_PITCH}px`;
    return node;
  }

  nameCell(row) {
    const {head} = this.app;
    const text = this.rowText(row);
    const toggle = row.open === null ? element('span', {class: 'th-toggle'}) :
                                       element(
                                           'span', {
                                             class: 'th-toggle',
                                             'aria-hidden': 'true',
                                             onclick: (event) => {
                                               this.toggle(row, !row.open);
                                               event.stopPropagation();
                                             }
                                           },
                                           row.open ? '▾' : '▸');
    const cell = element(
        'div', {role: 'rowheader', class: 'th-cell th-name', title: text}, toggle,
        element('span', {class: 'th-text'}, text));
    const known = row.node >= 0 && !row.inKind && !this.sort ? head.hierarchy[row.node] : null;
    const words = known && this.madeWords(row, known);
    if (words) cell.append(element('span', {class: 'dim'}, ` ${words}`));
    cell.style.paddingLeft = `${6 + THREAD_INDENT * Math.min(row.depth, THREAD_INDENTS)}px`;
    return cell;
  }

  /** Where they were made; those that hang in the tree without it say so. */
  madeWords(row, known) {
    if (row.open !== null && known.site) return `made in ${visible(known.site)}`;
    return known.creation_seen === false && !known.main && !known.doubts?.length ?
        'creation not seen' :
        '';
  }

  rowText(row) {
    const {head} = this.app;
    const process = row.process ? `${row.process}: ` : '';
    if (row.threads.length === 1) {
      const {name, tid} = head.threads[row.threads[0]];
      return process +
          (row.inKind && name ? `${visible(name)} (${tid})` : threadName(head, row.threads[0]));
    }
    const known = head.hierarchy[row.node];
    const label = visible(known.label ?? known.name);
    return process + (row.threads.length ? `${label} ×${row.threads.length}` : label);
  }

  cell(id, row) {
    const {head, state} = this.app;
    if (id === 'weight') {
      const value = this.weight(row);
      return `${weightText(state.weight, value)} · ${percentText(value, this.weightSum)}`;
    }
    if (id === 'states')
      return stateBar(
          head, statesOf(this.byThread, row.threads), this.longest * row.threads.length);
    if (id === 'cpu')
      return head.threads[row.threads[0]].more ? '–' :
                                                 timeText(sumWhole(head, row.threads, 'cpu_ns'));
    if (id === 'samples') return String(sumWhole(head, row.threads, 'samples'));
    if (id === 'life') return this.lifeText(row);
    const {used, mapped} = this.deepest(row);
    if (!used) return '–';
    return mapped ? `${bytesText(used)} of ${bytesText(mapped)}` : bytesText(used);
  }

  toggle(row, open) {
    if (row.open === null) return;
    this.opened.set(row.node, open);
    this.active = row.key;
    this.list();
  }

  // What is chosen.

  choose(index, event) {
    const row = this.rows[index];
    const {app} = this;
    const known = new Set(app.state.threads ?? []);
    const last = this.rows.findIndex(({key}) => key === this.lastPicked);
    if (event.shiftKey && last >= 0) {
      for (let i = Math.min(index, last); i <= Math.max(index, last); i++)
        this.rows[i].threads.forEach((thread) => known.add(thread));
    } else if (event.ctrlKey || event.metaKey) {
      const all = row.threads.every((thread) => known.has(thread));
      row.threads.forEach((thread) => (all ? known.delete(thread) : known.add(thread)));
    } else {
      const alone = this.isChosen(row) && known.size === row.threads.length;
      known.clear();
      if (!alone) row.threads.forEach((thread) => known.add(thread));
    }
    this.lastPicked = row.key;
    this.active = row.key;
    const threads = known.size ? [...known].sort((a, b) => a - b) : null;
    if (JSON.stringify(threads) === JSON.stringify(app.state.threads)) {
      this.showRows();
      this.showDetail();
    } else {
      app.set({threads});
    }
  }

  key(event) {
    if (event.target !== this.grid) return;
    const index = this.rows.findIndex(({key}) => key === this.active);
    const row = this.rows[index];
    const page = Math.max(1, Math.floor(this.grid.clientHeight / THREAD_PITCH) - 2);
    if (!row && event.key === 'ArrowUp') return;
    const to = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      PageUp: index - page,
      PageDown: index + page,
      Home: 0,
      End: this.rows.length - 1
    }[event.key];
    if (to !== undefined)
      this.moveTo(Math.min(Math.max(to, 0), this.rows.length - 1));
    else if (row && (event.key === 'Enter' || event.key === ' '))
      this.choose(index, event);
    else if (row && event.key === 'ArrowRight')
      this.toggle(row, true);
    else if (row && event.key === 'ArrowLeft')
      this.toggle(row, false);
    else
      return;
    event.preventDefault();
  }

  moveTo(index) {
    this.active = this.rows[index].key;
    const top = index * THREAD_PITCH;
    const room = this.grid.clientHeight - THREAD_HEAD;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    if (top + THREAD_PITCH > this.grid.scrollTop + room)
      this.grid.scrollTop = top + THREAD_PITCH - room;
    this.showRows();
    this.showDetail();
    const row = this.rows[index];
    const figures =
        row.threads.length ? `, ${weightWords(this.app.state.weight, this.weight(row))}` : '';
    say(this.rowText(row) + figures);
  }

  showDetail() {
    const row = this.rows.find(({key}) => key === this.active);
    if (!row)
      return replace(
          this.detail, element('p', {class: 'dim'}, 'What is known of a thread: choose one.'));
    replace(this.detail, ...threadDetail(this.app, row, {
              title: this.rowText(row),
              states: this.hasPieces ? statesOf(this.byThread, row.threads) : null,
              weight: this.weight(row),
              whole: row.threads.length ? this.wholeWords(row) : [],
            }));
  }

  /**
   * Figures of the whole capture, of which a narrow list shows some only.
   * @returns {any[]}
   */
  wholeWords(row) {
    return this.columns.filter(({whole}) => whole)
        .map(({id, name, from}) => [from ? `${name} ${from}` : name, this.cell(id, row)]);
  }

  showNote() {
    replace(
        this.note, `${countText(threadCount(this.app.head), 'thread')}. `,
        element(
            'span', {class: 'th-hint'},
            'Click chooses threads, Ctrl one more or less, Shift all up to it.'));
  }

  /** Where threads were chosen elsewhere, they are what is told of. */
  followChoice() {
    const {threads} = this.app.state;
    const active = this.rows.find(({key}) => key === this.active);
    if (!threads || (active && this.isChosen(active))) return;
    const row = this.rows.find((found) => this.isChosen(found));
    if (row) this.active = row.key;
  }

  update(changed) {
    const measured = ['weight', 'span', 'states'].some((key) => changed?.has(key));
    if (!changed || measured) {
      this.measure();
      this.showNote();
      this.list();
    }
    if (!changed || changed.has('threads')) this.followChoice();
    this.showRows();
    this.showDetail();
  }
}

/** @param {import('./app.js').App} app */
export function createThreadsView(app, root) {
  const view = new ThreadsView(app, root);
  view.update(null);
  return {update: (changed) => view.update(changed)};
}
