// SPDX-License-Identifier: MIT
/** Wires the page: data, state, tabs, views. */
import {App} from './app.js';
import {createChoices} from './choices.js';
import {decodePayload} from './data.js';
import {element, replace, visible} from './dom.js';
import {createFlameView} from './flame_view.js';
import {createGraphView} from './graph_view.js';
import {createHelp} from './help.js';
import {StepHistory} from './history.js';
import {createOverviewView} from './overview_view.js';
import {createStrip} from './strip.js';
import {createTableView} from './table_view.js';
import {createThreadsView} from './threads_view.js';
import {createTimelineView} from './timeline_view.js';
import {createWaitsView} from './waits_view.js';
import {pageSubtitle} from './words.js';

/** What a page can show; `has`: whether there is anything of it. */
const VIEWS = [
  {id: 'overview', name: 'Overview', create: createOverviewView, has: () => true},
  {id: 'flame', name: 'Flame graph', create: createFlameView, has: () => true},
  {id: 'table', name: 'Table', create: createTableView, has: () => true},
  {id: 'graph', name: 'Call graph', create: createGraphView, has: (head) => !!head.columns.svg},
  {
    id: 'timeline',
    name: 'Timeline',
    create: createTimelineView,
    has: (head) => !!head.columns['thread.pieces']
  },
  {
    id: 'threads',
    name: 'Threads',
    create: createThreadsView,
    has: (head) => head.threads.length > 0
  },
  {
    id: 'waits',
    name: 'Waits',
    create: createWaitsView,
    has: (head) => (head.waits?.length ?? 0) > 0
  },
];

/** What views redraw by, where functions became others. */
const OF_FUNCTIONS = ['weight', 'threads', 'span', 'states', 'zoom', 'func', 'search'];

class Page {
  constructor(app) {
    this.app = app;
    this.content = document.getElementById('content');
    this.views = VIEWS.filter((view) => view.has(app.head));
    this.made = new Map();  // id -> {root, view, stale: Set}
  }

  start() {
    const {app} = this;
    document.getElementById('title').textContent = visible(app.head.title);
    document.getElementById('subtitle').textContent = pageSubtitle(app.head);
    this.makeTabs();
    replace(this.content);
    this.parts = [
      createChoices(app, document.getElementById('choices')),
      createStrip(app, document.getElementById('strip'))
    ];
    this.help = createHelp();
    app.onChange((changed) => this.change(changed));
    this.history = new StepHistory(app);
    window.addEventListener('resize', () => this.change(new Set(['size'])));
    document.addEventListener('keydown', (event) => this.key(event));
    this.show();
  }

  makeTabs() {
    const tabs = document.getElementById('tabs');
    this.tabs = this.views.map(
        (view, index) => element(
            'button', {
              role: 'tab',
              id: `tab-${view.id}`,
              type: 'button',
              'aria-controls': `view-${view.id}`,
              title: `${view.name} (key ${index + 1})`,
              onclick: () => this.app.set({view: view.id})
            },
            view.name));
    replace(tabs, ...this.tabs);
    tabs.addEventListener('keydown', (event) => this.moveTab(event));
  }

  moveTab(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const count = this.views.length;
    const index = (this.index() + step + count) % count;
    this.app.set({view: this.views[index].id});
    this.tabs[index].focus();
    event.preventDefault();
  }

  /** Where tabs have not all room, the chosen one is in sight. */
  revealTab(tab) {
    const tabs = tab.parentElement;
    tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  }

  index() {
    return Math.max(0, this.views.findIndex((view) => view.id === this.app.state.view));
  }

  key(event) {
    const typing = event.target.closest?.('input, textarea, select');
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.isOpen()) return;
    if (event.key === 'Escape') {
      if (typing) event.target.blur();
      this.escape();
    } else if (!typing && event.key === '?') {
      this.help.open();
      event.preventDefault();
    } else if (!typing && event.key === '/') {
      document.getElementById('search')?.focus();
      event.preventDefault();
    } else if (!typing && /^[1-9]$/.test(event.key) && this.views[event.key - 1]) {
      this.app.set({view: this.views[event.key - 1].id});
    }
  }

  /** Undoes a zoom first where one is seen; else all that was selected. */
  escape() {
    const {app} = this;
    if (app.state.view === 'flame' && app.state.zoom.length)
      app.set({zoom: []});
    else
      app.clear();
  }

  change(given) {
    const changed = given.has('divided') ? new Set([...given, ...OF_FUNCTIONS]) : given;
    for (const made of this.made.values())
      for (const key of changed) made.stale.add(key);
    for (const part of this.parts) part.update(changed);
    this.show();
  }

  /** Makes the view that is chosen, or brings it up to date. */
  show() {
    const index = this.index();
    const {id, name, create} = this.views[index];
    let made = this.made.get(id);
    if (!made) {
      const root = element('section', {
        id: `view-${id}`,
        class: `view view-${id}`,
        role: 'tabpanel',
        'aria-labelledby': `tab-${id}`
      });
      this.content.append(root);
      made = {root, stale: new Set(['view']), view: null};
      this.made.set(id, made);
    }
    for (const [other, {root}] of this.made) root.hidden = other !== id;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
    });
    if (!made.view || made.stale.has('view')) this.revealTab(this.tabs[index]);
    document.title = `${name} · ${visible(this.app.head.title)}`;
    if (!made.view)
      made.view = create(this.app, made.root);
    else if (made.stale.size)
      made.view.update(made.stale);
    made.stale = new Set();
  }
}

async function main() {
  try {
    const payload = await decodePayload(document.getElementById('data').textContent);
    const page = new Page(new App(payload, location.hash));
    page.start();
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    replace(
        document.getElementById('content'),
        element(
            'p', {class: 'problem', role: 'alert'},
            `The page cannot be shown: ${error.message}. It needs a browser of 2023 or ` +
                'later (DecompressionStream).'));
    throw error;
  }
}

main();
