// SPDX-License-Identifier: MIT
/**
 * The table of functions, beside what is known of the one that is selected. Of its rows those in
 * sight are in the document; screen readers are told of the others by numbers (aria-rowcount).
 */
import {countText, deltaText, percentText, shareText, weightText} from './amounts.js';
import {element, replace, shortened, visible} from './dom.js';
import {changeOf} from './model.js';
import {createSandwich} from './sandwich_view.js';
import {listModules, listRows, nextSort, readSort, rowsInSight, tableColumns} from './table_rows.js';

const TABLE_ROW_HEIGHT = 26;
const TABLE_ROWS_BESIDE = 10;  // drawn above and below what is in sight
const TABLE_ROWS_PRINTED = 100;
const TABLE_CELL_PADDING = 16;
const TABLE_MODULES_MAX = 500;  // to choose from

/** Keys of the state that change which rows there are, or what they say. */
const TABLE_RELISTS =
    ['weight', 'threads', 'span', 'states', 'side', 'search', 'module', 'sort', 'view'];

function changeCell(id, {points, noise}) {
  const kind = noise || points === 0 ? 'dim' : points > 0 ? 'table-more' : 'table-less';
  return element(
      'div', {
        role: 'gridcell',
        class: `number table-${id} ${kind}`,
        title: noise ? 'Two captures of one program may differ by as much' : null
      },
      deltaText(points), noise ? '~' : '');
}

class TableView {
  constructor(app, root) {
    this.app = app;
    this.rows = new Uint32Array(0);
    this.all = 0;
    this.cursor = 0;  // the row that the keyboard is at
    this.atCursor = false;
    this.printing = false;
    this.frame = 0;
    this.makeBox();
    this.sandwich = createSandwich(
        app, element('aside', {class: 'sandwich', 'aria-label': 'The selected function'}));
    replace(
        root,
        element(
            'div', {class: 'table-page'},
            element('div', {class: 'table-side'}, this.bar, this.scroll, this.ruler),
            this.sandwich.root));
    window.addEventListener('beforeprint', () => this.print(true));
    window.addEventListener('afterprint', () => this.print(false));
    this.update(new Set(['view']));
  }

  makeBox() {
    this.told = element('output', {class: 'dim'});
    this.module = element('select', {
      id: 'table-module',
      'aria-label': 'Functions of which module',
      onchange: () =>
          this.app.set({module: this.module.value === '' ? null : Number(this.module.value)})
    });
    this.bar = element('div', {class: 'bar-row table-bar'}, this.module, this.told);
    this.heads = element('div', {role: 'row', class: 'table-row table-heads', 'aria-rowindex': 1});
    this.body = element('div', {role: 'rowgroup', class: 'table-body'});
    this.ruler = element('div', {class: 'table-ruler code', 'aria-hidden': 'true'});
    this.nameMax = 100;
    this.none = element('p', {class: 'table-none dim', hidden: true}, 'No function is left.');
    this.grid = element(
        'div', {
          role: 'grid',
          class: 'table-grid',
          tabindex: 0,
          'aria-label': 'Functions by weight',
          onkeydown: (event) => this.key(event),
          onfocus: () => this.mark(true),
          onblur: () => this.mark(false),
          onclick: (event) => this.click(event)
        },
        element('div', {role: 'rowgroup', class: 'table-head'}, this.heads), this.body);
    this.scroll = element(
        'div', {class: 'table-scroll', onscroll: () => this.drawSoon()}, this.grid, this.none);
  }

  source() {
    const {app} = this;
    return {
      sums: app.shownSums(),
      now: app.sums(),
      base: app.baseSums(),
      weight: app.state.weight,
      matches: app.matches(),
      module: app.state.module
    };
  }

  update(changed) {
    const {app} = this;
    this.fitHeight();
    if (TABLE_RELISTS.some((key) => changed.has(key))) {
      this.list();
      if (changed.has('sort')) this.scroll.scrollTop = 0;
    }
    const row = app.state.func === null ? -1 : this.rows.indexOf(app.state.func);
    if (row >= 0) this.cursor = row;
    this.cursor = Math.max(0, Math.min(this.cursor, this.rows.length - 1));
    if (row >= 0 && !changed.has('size')) this.reveal(row);
    this.measure();
    this.draw();
    this.sandwich.update(changed);
  }

  /** The box is as high as what is left of the window; the page itself need not scroll. */
  fitHeight() {
    const top = this.scroll.getBoundingClientRect().top + window.scrollY;
    this.scroll.style.height = `${Math.max(320, Math.floor(window.innerHeight - top - 17))}px`;
    this.sandwich.root.style.maxHeight = window.innerWidth > 900 ?
        `${Math.max(320, Math.floor(window.innerHeight - top - 17) + this.bar.offsetHeight)}px` :
        '';
  }

  /** How many characters of a name there is room for: its end often says more than its middle. */
  measure() {
    const width = this.heads.querySelector('.table-function')?.clientWidth ?? 0;
    const character = this.ruler.getBoundingClientRect().width / 100;
    this.nameMax =
        character > 0 ? Math.max(8, Math.floor((width - TABLE_CELL_PADDING) / character)) : 100;
  }

  list() {
    const {app} = this;
    const source = this.source();
    const {rows, all} = listRows(app.model, source, app.state.sort);
    this.rows = rows;
    this.all = all;
    this.base = source.base;
    this.sums = source.sums;
    this.now = source.now;
    // Bars are as long as shares of the greatest one.
    this.most = {self: 0, total: 0};
    for (const func of rows) {
      this.most.self = Math.max(this.most.self, this.sums.functionSelf[func]);
      this.most.total = Math.max(this.most.total, this.sums.functionTotal[func]);
    }
    this.drawHeads();
    this.fillModules();
    this.told.textContent = rows.length < all ? `${rows.length} of ${countText(all, 'function')}` :
                                                countText(all, 'function');
    this.body.style.height = `${rows.length * TABLE_ROW_HEIGHT}px`;
    this.grid.setAttribute('aria-rowcount', String(rows.length + 1));
    this.none.hidden = rows.length > 0;
    this.grid.classList.toggle('table-compares', !!this.base);
  }

  drawHeads() {
    const columns = tableColumns(!!this.base);
    const {column: sorted, ascending} = readSort(this.app.state.sort, columns);
    const focused = this.heads.querySelector(':focus')?.getAttribute('data-column');
    replace(this.heads, ...columns.map((column, i) => {
      const isSorted = column.id === sorted.id;
      return element(
          'div', {
            role: 'columnheader',
            class: `table-${column.id}${column.number ? ' number' : ''}`,
            'aria-colindex': i + 1,
            'aria-sort': !isSorted ? 'none' :
                ascending          ? 'ascending' :
                                     'descending'
          },
          element(
              'button', {
                type: 'button',
                title: column.title,
                'data-column': column.id,
                onclick: () => this.app.set({sort: nextSort(this.app.state.sort, column, columns)})
              },
              column.name,
              isSorted ? element('span', {'aria-hidden': 'true'}, ascending ? ' ▲' : ' ▼') : null));
    }));
    if (focused) this.heads.querySelector(`[data-column="${focused}"]`)?.focus();
  }

  fillModules() {
    const {app} = this;
    const modules = listModules(app.model, this.sums);
    const chosen = app.state.module;
    const named = modules.filter(({module}, i) => i < TABLE_MODULES_MAX || module === chosen);
    if (chosen !== null && !named.some(({module}) => module === chosen))
      named.push({module: chosen, self: 0, functions: 0});
    replace(
        this.module, element('option', {value: ''}, 'all modules'),
        ...named.map(
            ({module, self}) => element(
                'option', {value: module},
                `${shortened(app.head.modules[module].name, 60)} · ${
                    percentText(self, this.sums.sum)}`)));
    this.module.value = chosen === null ? '' : String(chosen);
    this.module.hidden = modules.length < 2 && chosen === null;
  }

  /** Scrolls so that a row is in sight; one that is far away comes to the middle. */
  reveal(row) {
    const height = this.scroll.clientHeight - this.heads.offsetHeight;
    const top = row * TABLE_ROW_HEIGHT;
    const above = this.scroll.scrollTop - top;
    const below = top + TABLE_ROW_HEIGHT - (this.scroll.scrollTop + height);
    if (above > height || below > height)
      this.scroll.scrollTop = top - height / 2;
    else if (above > 0)
      this.scroll.scrollTop = top;
    else if (below > 0)
      this.scroll.scrollTop += below;
  }

  drawSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const [first, end] = this.printing ? [0, Math.min(TABLE_ROWS_PRINTED, this.rows.length)] :
                                         rowsInSight(
                                             this.scroll.scrollTop, this.scroll.clientHeight,
                                             TABLE_ROW_HEIGHT, this.rows.length, TABLE_ROWS_BESIDE);
    const nodes = [];
    for (let row = first; row < end; row++) nodes.push(this.makeRow(row));
    replace(this.body, ...nodes);
    this.markCursor();
  }

  makeRow(row) {
    const {app, sums, now, base} = this;
    const func = this.rows[row];
    const self = sums.functionSelf[func];
    const total = sums.functionTotal[func];
    const {func: selected} = app.state;
    const node = element(
        'div', {
          role: 'row',
          id: `table-row-${row}`,
          class: 'table-row',
          'aria-rowindex': row + 2,
          'aria-selected': String(func === selected),
          'data-func': func
        },
        this.weightCell(self, this.most.self), this.weightCell(total, this.most.total),
        ...(base ? this.changeCells(func, now, base) : []),
        element(
            'div', {role: 'gridcell', class: 'table-function code'},
            shortened(app.model.functionLabel(func), this.nameMax)),
        element(
            'div', {role: 'gridcell', class: 'table-module dim'},
            visible(app.model.moduleOf(func)?.name ?? '')));
    node.style.top = `${row * TABLE_ROW_HEIGHT}px`;
    return node;
  }

  changeCells(func, now, base) {
    const cell = (id, kind) =>
        changeCell(id, changeOf(now[kind][func], now, base[kind][func], base));
    return [cell('selfchange', 'functionSelf'), cell('totalchange', 'functionTotal')];
  }

  weightCell(value, most) {
    const cell = element(
        'div', {role: 'gridcell', class: `number table-weight${value > 0 ? '' : ' table-nothing'}`},
        element('span', {class: 'table-amount'}, weightText(this.app.state.weight, value)), ' ',
        element('span', {class: 'table-share'}, shareText(value, this.sums.sum)));
    cell.style.setProperty('--part', String(most > 0 ? value / most : 0));
    return cell;
  }

  click(event) {
    const row = event.target.closest('[data-func]');
    if (!row || window.getSelection().toString()) return;
    this.app.set({func: Number(row.dataset.func)});
  }

  key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / TABLE_ROW_HEIGHT) - 2);
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9};
    if (step[event.key]) {
      this.cursor = Math.max(0, Math.min(this.cursor + step[event.key], this.rows.length - 1));
      this.reveal(this.cursor);
      this.draw();
      event.preventDefault();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.rows.length) {
      this.app.set({func: this.rows[this.cursor]});
      event.preventDefault();
    }
  }

  mark(focused) {
    this.atCursor = focused;
    this.markCursor();
  }

  /** Shows where the keyboard is, while the table has it. */
  markCursor() {
    this.body.querySelector('.table-cursor')?.classList.remove('table-cursor');
    const node = document.getElementById(`table-row-${this.cursor}`);
    if (this.atCursor && node) {
      node.classList.add('table-cursor');
      this.grid.setAttribute('aria-activedescendant', node.id);
    } else {
      this.grid.removeAttribute('aria-activedescendant');
    }
  }

  /** Paper does not scroll: it has the first rows. */
  print(begins) {
    this.printing = begins;
    const rows = begins ? Math.min(TABLE_ROWS_PRINTED, this.rows.length) : this.rows.length;
    this.body.style.height = `${rows * TABLE_ROW_HEIGHT}px`;
    this.draw();
  }
}

/** @param {import('./app.js').App} app */
export function createTableView(app, root) {
  const view = new TableView(app, root);
  return {update: (changed) => view.update(changed)};
}
