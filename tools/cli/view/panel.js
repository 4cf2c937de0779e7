// The details panel. Texts from the model are inserted as text nodes, never as HTML.
import {heatColour} from './heat.js';
import {families, shapeText, typeText} from './model.js';

/** Creates an element with attributes and children (elements or texts). Attributes that begin with "on" are listeners. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

const number = (value) => (value === null || value === undefined ? '' : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : String(Number(value.toPrecision(4))));
const byteText = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toPrecision(3)} KB` : bytes < 1e9 ? `${(bytes / 1e6).toPrecision(3)} MB` : `${(bytes / 1e9).toPrecision(3)} GB`);

function table(rows) {
  const list = element('dl');
  for (const [key, ...values] of rows) list.append(element('dt', {}, key), element('dd', {}, ...values));
  return list;
}

const section = (title, ...children) => element('section', {}, element('h3', {}, title), ...children);

function histogram({histogram: counts, min, max}) {
  const most = Math.max(...counts, 1), canvas = element('canvas', {width: 300, height: 70, role: 'img', 'aria-label': `Histogram from ${number(min)} to ${number(max)}`});
  const context = canvas.getContext('2d'), width = canvas.width / counts.length;
  context.fillStyle = '#2f81f7';
  counts.forEach((count, i) => {
    const height = count === 0 ? 0 : Math.max(1, count / most * canvas.height);
    context.fillRect(i * width, canvas.height - height, width - 1, height);
  });
  return element('figure', {}, canvas, element('figcaption', {class: 'ends'}, element('span', {}, number(min)), element('span', {}, number(max))));
}

// Returns the colour of a code: 1 (the smallest value) is blue, 128 (the middle of the range) white, 255 (the greatest) red.
function pixelColour(value) {
  if (value === 0) return [255, 0, 255];  // code of values that are not finite
  const at = (value - 1) / 127 - 1, other = Math.round(245 * (1 - Math.abs(at)));
  return at < 0 ? [other, Math.round(80 + other * 0.65), 245] : [245, Math.round(60 + other * 0.72), other];
}

function picture({rows, columns, height, width, pixels}) {
  const bytes = Uint8Array.from(atob(pixels), (character) => character.charCodeAt(0));
  const canvas = element('canvas', {width, height, class: 'pixels', role: 'img', 'aria-label': 'The elements as a picture'});
  const context = canvas.getContext('2d'), image = context.createImageData(width, height);
  bytes.forEach((value, i) => image.data.set([...pixelColour(value), 255], 4 * i));
  context.putImageData(image, 0, 0);
  const part = rows > height || columns > width ? `, every ${[rows / height, columns / width].map((step) => Number(step.toPrecision(3))).join(' by ')}` : '';
  return element('figure', {}, canvas, element('figcaption', {}, `${rows} rows, ${columns} columns${part}; blue is low, red high`));
}

function weights(node) {
  const found = node.weights;
  if (!found) return [];
  const rows = [];
  if (found.min !== undefined) {
    rows.push(['from', `${number(found.min)} to ${number(found.max)}`], ['mean', `${number(found.mean)} ± ${number(found.deviation)}`]);
  }
  if (found.notFinite > 0) rows.push(['not finite', `${found.notFinite} of ${found.sampled}`]);
  const count = node.types[0].slice(1).reduce((product, size) => product * size, 1);
  if (found.sampled < count) rows.push(['looked at', `${found.sampled} of ${count} elements`]);
  return [
    rows.length > 0 && table(rows), found.histogram && histogram(found), found.picture && picture(found.picture),
    found.values && element('p', {class: 'values'}, found.values.join(', ')),
  ].filter(Boolean);
}

const badge = (measured) => {
  const made = element('span', {class: 'badge'}, measured.text);
  made.style.background = measured.fill;
  made.style.color = measured.ink;
  return made;
};

/** Fills the details panel. `page` is {data, matches, scales, choose(target)}. */
export class Panel {
  #root;
  #page;

  constructor(root, page) {
    this.#root = root;
    this.#page = page;
  }

  #open(title, subtitle, colour, ...children) {
    const close = element('button', {type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.#page.choose()}, '×');
    const head = element('header', {}, element('h2', {}, title), subtitle && element('p', {}, subtitle), close);
    head.style.borderTopColor = colour;
    this.#root.replaceChildren(head, ...children.filter(Boolean));
    this.#root.scrollTop = 0;
    this.#root.hidden = false;
  }
  close() {
    this.#root.hidden = true;
  }

  #link(text, target) {
    return element('button', {type: 'button', class: 'link', onclick: () => this.#page.choose(target)}, text || '(no name)');
  }
  #linkOfNode(node) {
    const {name, label, kind, named} = this.#page.data.nodes[node];
    return this.#link(kind === 'operation' && named ? `${name} ${label}` : name, {node});
  }
  #linkOfStep(step) {
    const {name, label} = this.#page.data.compiled.steps[step];
    return this.#link(`${step}: ${name}${label ? ` ${label}` : ''}`, {step});
  }

  #measured(ofBox) {
    const found = this.#page.scales.map((scale) => [scale, ofBox(scale)]).filter(([, measured]) => measured);
    return found.length > 0 && section('Measured', table(found.map(([scale, measured]) => [scale.name, badge(measured)])));
  }

  node(number, colour) {
    const {data, matches} = this.#page, node = data.nodes[number];
    const kind = node.kind === 'operation' ? families[node.family] : node.kind;
    const users = data.nodes.flatMap((other, i) => ((other.inputs ?? []).some(([from]) => from === number) ? [i] : []));
    const constants = (node.inputs ?? []).filter(([from]) => data.nodes[from].kind === 'constant');
    const values = (node.inputs ?? []).filter(([from]) => data.nodes[from].kind !== 'constant');
    const options = Object.entries(node.options ?? {});
    this.#open(node.name, kind, colour,
      node.label && section('Name', element('p', {}, node.label)),
      this.#measured((scale) => node.kind === 'operation' && scale.ofNode(number)),
      options.length > 0 && section('Attributes', table(options)),
      values.length > 0 && section('Inputs', table(values.map(([from, argument, type]) => [argument || 'value', this.#linkOfNode(from), element('span', {class: 'type'}, typeText(type))]))),
      ...constants.map(([from, argument]) => section(`${argument || 'value'}: ${data.nodes[from].name}`, element('p', {class: 'type'}, `${typeText(data.nodes[from].types[0])}, ${byteText(data.nodes[from].bytes)}`), ...weights(data.nodes[from]))),
      node.kind === 'constant' && section('Elements', element('p', {class: 'type'}, byteText(node.bytes)), ...weights(node)),
      node.types && section(node.kind === 'operation' ? 'Results' : 'Type', table(node.types.map((type, i) => [node.results?.[i] ?? node.name, element('span', {class: 'type'}, typeText(type))]))),
      users.length > 0 && section('Used by', element('ul', {}, ...users.slice(0, 100).map((user) => element('li', {}, this.#linkOfNode(user))), users.length > 100 && element('li', {}, `and ${users.length - 100} more`))),
      this.#placement(matches.placementOf(number)));
  }

  #placement(placed) {
    if (!placed) return undefined;
    const rows = [];
    if (placed.state === 'constant') rows.push(element('p', {}, 'Computed when the graph was compiled.'));
    if (placed.state === 'removed') rows.push(element('p', {}, 'Nothing is left to do.'));
    if (placed.steps) rows.push(element('ul', {}, ...placed.steps.map((step) => element('li', {}, this.#linkOfStep(step), element('small', {}, this.#page.data.compiled?.steps[step]?.kernel ?? '')))));
    if (placed.kernels) rows.push(element('p', {}, placed.kernels.join(', ')));
    if (placed.device && !placed.steps) rows.push(element('p', {}, placed.device));
    for (const note of placed.notes ?? []) rows.push(element('p', {}, note));
    return section('What runs', ...rows);
  }

  step(number, colour) {
    const {data, matches} = this.#page, step = data.compiled.steps[number], nodes = matches.nodesOf(number);
    const inputs = data.nodes.flatMap((node, i) => (node.kind === 'input' ? [i] : []));
    this.#open(step.name, `step ${number} of ${data.compiled.steps.length}`, colour,
      step.label && section('Name', element('p', {}, step.label)),
      step.kernel && section('Kernel', element('p', {}, step.kernel)),
      this.#measured((scale) => scale.ofStep(number)),
      section('Does', nodes.length > 0 ? element('ul', {}, ...nodes.map((node) => element('li', {}, this.#linkOfNode(node)))) : element('p', {}, 'Moves values; no operation of the graph.')),
      step.inputs.length > 0 && section('Reads', table(step.inputs.map(([isInput, index, type]) => [shapeText(type), isInput ? this.#linkOfNode(inputs[index]) : this.#linkOfStep(index)]))),
      section('Writes', ...step.types.map((type) => element('p', {class: 'type'}, typeText(type)))));
  }

  /** Shows information about the whole graph. */
  about() {
    const {data, scales} = this.#page;
    const operations = data.nodes.filter((node) => node.kind === 'operation');
    const constants = data.nodes.filter((node) => node.kind === 'constant');
    const counts = new Map();
    for (const {name} of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
    const times = scales.find((scale) => scale.slowest);
    const ports = (kind) => data.nodes.flatMap((node, i) => (node.kind === kind ? [[this.#linkOfNode(i), typeText(node.types?.[0] ?? node.inputs[0][2])]] : []));
    this.#open(data.file || data.name || 'Graph', data.file ? data.name : undefined, heatColour(0.5).fill,
      section('Graph', table([
        ['operations', String(operations.length)], ['constants', `${constants.length}, ${byteText(constants.reduce((sum, {bytes}) => sum + bytes, 0))}`],
        ...(data.compiled ? [['steps', String(data.compiled.steps.length)]] : []), ['libwebnn', data.version],
      ])),
      ...['input', 'output'].map((kind) => section(`${kind[0].toUpperCase()}${kind.slice(1)}s`, element('ul', {}, ...ports(kind).map(([link, type]) => element('li', {}, link, element('small', {}, type)))))),
      times && section(times.title, element('ul', {}, ...times.slowest.map(({step, text}) => element('li', {}, this.#linkOfStep(step), element('small', {}, text))))),
      section('Operations', table([...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => [name, String(count)]))));
  }
}
