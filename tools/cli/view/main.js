// The page of `webnn view`. The same program runs in a worker to lay out drawings.
import {View} from './canvas.js';
import {colourOf, theme, whenThemeChanges} from './colours.js';
import {listen, neighbour} from './gestures.js';
import {heatColour, scalesOf} from './heat.js';
import {layout} from './layout.js';
import {measure, place} from './measure.js';
import {compiledDrawing, correspondence, families, graphDrawing} from './model.js';
import {Panel, element} from './panel.js';
import {download, pngOf, svgOf} from './pictures.js';
import {Search} from './search.js';

const byId = (id) => document.getElementById(id);

class Page {
  data = JSON.parse(byId('data').textContent);
  matches = correspondence(this.data);
  scales = scalesOf(this.data, this.matches);
  #scale;
  #chosen;  // selected item: {node} or {step}
  #drawings;
  #views = {};
  #panel = new Panel(byId('panel'), this);
  #search;
  #worker = new LayoutWorker();
  #active = 'graph';  // name of the drawing that keys and search apply to

  async start() {
    const title = this.data.file || this.data.name || 'Graph';
    byId('title').textContent = title;
    document.title = title;
    this.#drawings = {graph: graphDrawing(this.data), compiled: this.data.compiled && compiledDrawing(this.data)};
    if (!this.data.compiled) byId('views').hidden = true;
    for (const section of document.querySelectorAll('.drawing')) this.#addView(section.dataset.drawing, section.firstElementChild);
    this.#search = new Search(byId('search'), byId('results'), {
      entries: () => this.#entries(), changed: () => this.#redraw(), go: (box) => this.#choose(this.#active, box, true),
    });
    this.#addControls();
    await this.show('graph');
    document.body.dataset.ready = '';
  }

  #addView(name, canvas) {
    const view = new View(canvas, {
      scaleOf: () => this.#scale,
      markOf: (drawing, box) => this.#markOf(drawing, box),
    });
    this.#views[name] = view;
    listen(canvas, view, (box) => {
      this.#active = name;
      this.#choose(name, box);
    });
    canvas.addEventListener('focus', () => {
      this.#active = name;
    });
    canvas.addEventListener('keydown', (event) => this.#key(event, name));
    new ResizeObserver(() => view.resize()).observe(canvas);
  }

  #addControls() {
    byId('views').addEventListener('change', (event) => this.show(event.target.value));
    const heat = byId('heat');
    heat.append(element('option', {value: ''}, 'Kinds of operations'), ...this.scales.map((scale, i) => element('option', {value: i}, scale.name)));
    heat.addEventListener('change', () => this.#setScale(heat.value));
    if (this.scales.length > 0) heat.value = '0';
    heat.parentElement.hidden = this.scales.length === 0;
    this.#setScale(heat.value);
    const zooms = {in: (view) => view.zoom(1.3), out: (view) => view.zoom(1 / 1.3), fit: (view) => view.fit(true)};
    for (const button of document.querySelectorAll('[data-zoom]')) {
      button.addEventListener('click', () => Object.values(this.#views).forEach(zooms[button.dataset.zoom]));
    }
    for (const button of document.querySelectorAll('[data-export]')) {
      button.addEventListener('click', () => this.#export(button.dataset.export));
    }
    byId('title').addEventListener('click', () => this.about());
    byId('theme').addEventListener('click', () => {
      document.documentElement.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
      this.#setScale(heat.value);
    });
    whenThemeChanges(() => this.#setScale(heat.value));
    document.addEventListener('pointerdown', (event) => {
      if (!byId('menu').contains(event.target)) byId('menu').open = false;
    });
    document.addEventListener('keydown', (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'radio') return;
      const action = {
        '/': () => byId('search').focus(), 'g': () => this.#pick('graph'), 'c': () => this.#pick('compiled'), 'b': () => this.#pick('both'),
        'i': () => this.about(), 'Escape': () => this.choose(),
      }[event.key];
      if (!action) return;
      event.preventDefault();
      byId('menu').open = false;
      action();
    });
  }

  #pick(name) {
    const radio = document.querySelector(`input[name=view][value=${name}]`);
    if (!this.data.compiled || radio.checked) return;
    radio.checked = true;
    this.show(name);
  }

  /** Shows the drawing 'graph' or 'compiled', or both for 'both'. */
  async show(name) {
    byId('stage').dataset.view = name;
    const shown = name === 'both' ? ['graph', 'compiled'] : [name];
    for (const section of document.querySelectorAll('.drawing')) section.hidden = !shown.includes(section.dataset.drawing);
    if (!shown.includes(this.#active)) this.#active = shown[0];
    for (const each of shown) await this.#layOut(each);
    this.#search.again();
    this.#redraw();
    this.#reveal();
  }

  async #layOut(name) {
    const drawing = this.#drawings[name];
    if (drawing.height !== undefined) return this.#views[name].redraw();
    const state = byId('state'), start = performance.now();
    state.hidden = false;
    state.textContent = `Laying out ${drawing.boxes.length} boxes…`;
    measure(drawing);
    const {boxes, edges} = drawing;
    const places = await this.#worker.layout({
      widths: boxes.map(({width}) => width), heights: boxes.map(({height}) => height), edges: edges.map(({from, to}) => [from, to]),
    });
    place(drawing, places);
    this.#views[name].show(drawing);
    state.hidden = true;
    document.body.dataset[`${name}Milliseconds`] = Math.round(performance.now() - start);
  }

  #redraw() {
    for (const view of Object.values(this.#views)) view.redraw();
  }

  #setScale(value) {
    this.#scale = value === '' ? undefined : this.scales[value];
    const legend = byId('legend');
    legend.replaceChildren();
    if (this.#scale) {
      const bar = element('span', {class: 'bar'});
      bar.style.background = `linear-gradient(to right, ${Array.from({length: 9}, (_, i) => heatColour(i / 8).fill).join(', ')})`;
      legend.append(element('p', {}, this.#scale.title), element('span', {}, this.#scale.ends[0]), bar, element('span', {}, this.#scale.ends[1]));
    } else {
      const used = new Set(this.data.nodes.map((node) => node.family).filter((family) => family !== undefined));
      for (const family of [...used].sort((a, b) => a - b)) {
        const dot = element('i');
        dot.style.background = colourOf({kind: 'operation', family});
        legend.append(element('span', {class: 'kind'}, dot, families[family]));
      }
    }
    this.#redraw();
  }

  #entries() {
    const {boxes} = this.#drawings[this.#active];
    return boxes.map((box, number) => ({box: number, text: box.title, detail: box.lines.join(', ')}));
  }

  // Returns the boxes of the selected item in both drawings: {graph: boxes, compiled: boxes}.
  #sameBoxes() {
    const {node, step} = this.#chosen ?? {};
    const of = (name, numbers) => numbers.map((number) => this.#drawings[name]?.boxOf.get(number)).filter((box) => box !== undefined);
    if (node !== undefined) return {graph: of('graph', [node]), compiled: of('compiled', this.matches.stepsOf(node))};
    if (step !== undefined) return {graph: of('graph', this.matches.nodesOf(step)), compiled: of('compiled', [step])};
    return {graph: [], compiled: []};
  }

  #markOf(drawing, box) {
    const {node, step} = this.#chosen ?? {};
    if (node !== undefined ? box.node === node : step !== undefined && box.step === step) return 'chosen';
    if (this.#same?.[drawing.name].has(box.number)) return 'same';
    return drawing.name === this.#active && this.#search.found.has(box.number) ? 'found' : undefined;
  }
  #same;

  #choose(name, number, isCentred = false) {
    const box = number === undefined ? undefined : this.#drawings[name].boxes[number];
    this.choose(box && (box.step === undefined ? {node: box.node} : {step: box.step}), isCentred);
  }

  /** Selects a node or step in drawings and panel. Without a target, closes the panel. */
  choose(target, isCentred = false) {
    this.#chosen = target;
    const {graph, compiled} = this.#sameBoxes();
    this.#same = {graph: new Set(graph), compiled: new Set(compiled)};
    if (!target) {
      this.#panel.close();
      this.#redraw();
      return;
    }
    const name = target.step === undefined ? 'graph' : 'compiled';
    const shown = byId('stage').dataset.view;
    if (shown !== 'both' && shown !== name && !(target.node !== undefined && this.data.nodes[target.node].kind !== 'operation')) this.#pick(name);
    if (target.step === undefined) {
      const node = this.data.nodes[target.node];
      this.#panel.node(target.node, colourOf({kind: node.kind, family: node.family}));
      byId('live').textContent = `${node.name} ${node.label ?? ''}`;
    } else {
      const step = this.data.compiled.steps[target.step];
      this.#panel.step(target.step, colourOf({kind: 'step', title: step.name}));
      byId('live').textContent = `step ${target.step}, ${step.name} ${step.label}`;
    }
    requestAnimationFrame(() => this.#reveal(isCentred));  // after the panel has changed the views' sizes
  }

  #reveal(isCentred = false) {
    const same = this.#sameBoxes();
    for (const [name, view] of Object.entries(this.#views)) {
      if (same[name].length > 0 && view.hasPlace) view.reveal(same[name][0], isCentred);
    }
    this.#redraw();
  }

  about() {
    this.#chosen = undefined;
    this.#same = undefined;
    this.#panel.about();
    this.#redraw();
  }

  #key(event, name) {
    const view = this.#views[name], drawing = this.#drawings[name];
    if (event.ctrlKey || event.metaKey || event.altKey || !view.hasPlace) return;
    const far = 80;
    const moves = {ArrowDown: [0, -far], ArrowUp: [0, far], ArrowLeft: [far, 0], ArrowRight: [-far, 0]};
    const zooms = {'+': 1.25, '=': 1.25, '-': 0.8, '_': 0.8};
    if (moves[event.key] && event.shiftKey) view.move(...moves[event.key]);
    else if (moves[event.key]) {
      const now = drawing.boxes.findIndex((box) => (this.#chosen?.step === undefined ? box.node !== undefined && box.node === this.#chosen?.node : box.step === this.#chosen.step));
      const next = neighbour(drawing, now < 0 ? undefined : now, event.key);
      if (next !== undefined && drawing.boxes[next]) this.#choose(name, next);
    } else if (zooms[event.key]) view.zoom(zooms[event.key]);
    else if (event.key === '0' || event.key === 'Home') view.fit(event.key === '0');
    else if (event.key === 'PageDown' || event.key === 'PageUp') view.move(0, (event.key === 'PageUp' ? 0.8 : -0.8) * view.height);
    else return;
    event.preventDefault();
  }

  async #export(kind) {
    byId('menu').open = false;
    const drawing = this.#drawings[this.#active];
    const name = `${(this.data.file || this.data.name || 'graph').replace(/[^\w.-]+/g, '_').slice(0, 80)}-${drawing.name}`;
    const svg = svgOf(drawing, this.#scale, document.title);
    if (kind === 'svg') return download(new Blob([svg], {type: 'image/svg+xml'}), `${name}.svg`);
    try {
      download(await pngOf(drawing, svg), `${name}.png`);
    } catch (error) {
      byId('state').hidden = false;
      byId('state').textContent = `The PNG cannot be made (${error.message}); SVG can.`;
    }
    return undefined;
  }
}

// Lays out in a worker, or on this thread if no worker can be started.
class LayoutWorker {
  #worker;
  #last = Promise.resolve();

  layout(graph) {
    this.#last = this.#last.then(() => this.#ask(graph)).catch(() => layout(graph));
    return this.#last;
  }

  #ask(graph) {
    if (!this.#worker) {
      const url = URL.createObjectURL(new Blob([byId('program').textContent], {type: 'text/javascript'}));
      this.#worker = new Worker(url);
    }
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({data}) => (data.error ? reject(new Error(data.error)) : resolve(data.places));
      this.#worker.onerror = reject;
      this.#worker.postMessage(graph);
    });
  }
}

if (typeof document === 'undefined') {
  globalThis.onmessage = ({data}) => {
    try {
      globalThis.postMessage({places: layout(data)});
    } catch (error) {
      globalThis.postMessage({error: String(error)});
    }
  };
} else {
  new Page().start();
}
