// Makes two drawings from the page's data, with boxes and edges: the original graph, and the compiled steps.

const mostCharacters = 44, mostLines = 8, mostSizes = 2;
// If more than mostUsers boxes use a value (such as a mask), only the first firstUsers boxes get an edge. All other boxes name
// the value in a line.
const mostUsers = 8, firstUsers = 3;

export const families = ['element-wise', 'matrix product, convolution', 'recurrent', 'normalization', 'window', 'reduction', 'quantization', 'movement'];

export const shapeText = ([, ...sizes]) => (sizes.length === 0 ? 'scalar' : sizes.join('×'));
export const typeText = (type) => `${type[0]} ${shapeText(type)}`;
// Omits float32, which is most common.
const briefType = (type) => (type[0] === 'float32' ? shapeText(type) : typeText(type));

export function cut(text, most = mostCharacters) {
  const characters = [...String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{fffd}')];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

const shown = (lines) => (lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '…'] : lines).map((line) => cut(line));
const box = (fields, lines) => ({...fields, lines: shown(lines)});

// Collects edges; all values between two boxes share one edge.
class Edges {
  #found = new Map();

  add(from, to, type) {
    const key = `${from} ${to}`;
    const types = this.#found.get(key)?.types ?? [];
    types.push(briefType(type));
    this.#found.set(key, {from, to, types});
  }
  all(boxes) {
    const users = new Map();
    for (const {from} of this.#found.values()) users.set(from, (users.get(from) ?? 0) + 1);
    const seen = new Map();
    const named = new Map();  // box -> text lines such as "← conv1", shown in place of edges from a value with many users
    const drawn = [...this.#found.values()].sort((a, b) => a.to - b.to).filter(({from, to}) => {
      seen.set(from, (seen.get(from) ?? 0) + 1);
      if (users.get(from) <= mostUsers || seen.get(from) <= firstUsers) return true;
      named.set(to, [...named.get(to) ?? [], `← ${boxes[from].reference}`].slice(0, mostLines + 1));
      return false;
    });
    for (const [to, lines] of named) boxes[to].lines.push(...shown(lines));
    return drawn.map(({from, to, types}) => {
      const distinct = [...new Set(types)];
      return {from, to, text: cut(distinct.slice(0, mostSizes).join(', ') + (distinct.length > mostSizes ? ', …' : ''))};
    });
  }
}

function lineOfConstant(argument, node) {
  const {values} = node.weights ?? {};
  if (values?.length === 1) return `${argument} = ${values[0]}`;
  return `${argument}: ${briefType(node.types[0])}`;
}

/**
 * Returns the drawing of the graph. Constants are shown in the boxes of operations that use them; a constant that is an output
 * has its own box.
 */
export function graphDrawing({nodes}) {
  const boxOf = new Map(), boxes = [], edges = new Edges();
  const asOutputs = new Set(nodes.filter((node) => node.kind === 'output').map((node) => node.inputs[0][0]));
  nodes.forEach((node, number) => {
    if (node.kind === 'constant' && !asOutputs.has(number)) return;
    const fields = {node: number, kind: node.kind, family: node.family, title: cut(node.name), reference: node.label ?? node.name};
    const lines = [];
    if (node.named) lines.push(node.label);
    if (node.brief) lines.push(node.brief);
    for (const [from, argument] of node.inputs ?? []) {
      if (nodes[from].kind === 'constant' && node.kind === 'operation') lines.push(lineOfConstant(argument, nodes[from]));
    }
    if (node.kind === 'input' || node.kind === 'constant') lines.push(typeText(node.types[0]));
    if (node.kind === 'output') lines.push(typeText(node.inputs[0][2]));
    boxOf.set(number, boxes.length);
    boxes.push(box(fields, lines));
    for (const [from, , type] of node.inputs ?? []) if (boxOf.has(from)) edges.add(boxOf.get(from), boxOf.get(number), type);
  });
  return {name: 'graph', boxes, edges: edges.all(boxes), boxOf};
}

/** Returns the drawing of the steps, with the graph's inputs and outputs. `boxOf` maps the index of a step to its box. */
export function compiledDrawing({nodes, compiled}) {
  const inputs = nodes.flatMap((node, number) => (node.kind === 'input' ? [number] : []));
  const outputs = nodes.flatMap((node, number) => (node.kind === 'output' ? [number] : []));
  const boxes = inputs.map((number) => box({node: number, kind: 'input', title: cut(nodes[number].name), reference: nodes[number].name}, [typeText(nodes[number].types[0])]));
  const edges = new Edges();
  const sourceOf = ([isInput, index]) => (isInput ? index : inputs.length + index);
  const boxOf = new Map();
  compiled.steps.forEach((step, number) => {
    const to = boxes.length;
    const lines = [step.label, step.kernel].filter((line) => line && line !== step.name);
    boxOf.set(number, to);
    boxes.push(box({step: number, kind: 'step', title: cut(step.name), reference: `${step.name} ${step.label || number}`}, lines));
    for (const source of step.inputs) edges.add(sourceOf(source), to, source[2]);
  });
  outputs.forEach((number, i) => {
    const to = boxes.length;
    boxes.push(box({node: number, kind: 'output', title: cut(nodes[number].name)}, [typeText(nodes[number].inputs[0][2])]));
    for (const source of compiled.outputs[i]) edges.add(sourceOf(source), to, source[2]);
  });
  return {name: 'compiled', boxes, edges: edges.all(boxes), boxOf};
}

/** Maps operations to their steps and back: {stepsOf(node), nodesOf(step), placementOf(node)}. */
export function correspondence({nodes, placement, compiled}) {
  const placements = new Map(), byStep = (compiled?.steps ?? []).map(() => []);
  let next = 0;
  nodes.forEach((node, number) => {
    if (node.kind !== 'operation' || !placement) return;
    const placed = placement[next++];
    placements.set(number, placed);
    for (const step of placed.steps ?? []) byStep[step]?.push(number);
  });
  return {
    placementOf: (node) => placements.get(node),
    stepsOf: (node) => placements.get(node)?.steps ?? [],
    nodesOf: (step) => byStep[step] ?? [],
  };
}
