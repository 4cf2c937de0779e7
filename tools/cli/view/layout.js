// Places boxes and edges. The graph is cut into parts at boxes that all paths pass through, such as between layers of a network.
// Equal parts are laid out once, so networks of many equal layers take little time.
const gap = 24, laneGap = 12, layerGap = 46;

/**
 * @param {{widths: number[], heights: number[], edges: [number, number][]}} graph edges lead to boxes of higher numbers; no two edges
 *     have the same ends
 * @returns {{x: Float64Array, y: Float64Array, points: number[][], width: number, height: number}} centres of boxes, and for each edge
 *     x and y of the points on its way
 */
export function layout({widths, heights, edges}) {
  const count = widths.length;
  const x = new Float64Array(count), y = new Float64Array(count), points = new Array(edges.length);
  const known = new Map();
  let left = 0;  // left edge of the next connected component
  for (const together of components(count, edges)) {
    let right = left, anchor, start;
    for (const part of parts(together.boxes, together.edges, edges)) {
      const placed = placePart(part, widths, heights, edges, known);
      const first = part.boxes[0];
      const aside = placed.x[part.boxes.length - 1] - placed.x[0];
      let dx = left - placed.left, dy = 0, side = 1;
      if (anchor === first) {
        // Mirror if necessary, so that parts do not drift to one side.
        side = aside * (x[first] - x[start]) > 0 ? -1 : 1;
        dx = x[first] - side * placed.x[0];
        dy = y[first] - placed.y[0];
      } else {
        start = first;
      }
      part.boxes.forEach((box, i) => {
        x[box] = side * placed.x[i] + dx;
        y[box] = placed.y[i] + dy;
      });
      part.edges.forEach((edge, i) => {
        points[edge] = placed.points[i].map((value, at) => (at % 2 === 0 ? side * value + dx : value + dy));
      });
      right = Math.max(right, (side > 0 ? placed.right : -placed.left) + dx);
      anchor = part.boxes.at(-1);
    }
    const least = Math.min(left, ...together.boxes.length < 50_000 ? together.boxes.map((box) => x[box] - widths[box] / 2) : [left]);
    if (least < left) move(together, left - least, x, points);
    left = right + (left - least) + 3 * gap;
  }
  edges.forEach(([from, to], edge) => touch(points[edge], from, to, {x, y, widths, heights}));
  return framed({x, y, points, widths, heights});
}

// Moves an edge's ends to the lower side of its first box and the upper side of its last box.
function touch(way, from, to, {x, y, widths, heights}) {
  const within = (at, box) => {
    const half = Math.max(widths[box] / 2 - 10, 0);
    return Math.min(Math.max(at, x[box] - half), x[box] + half);
  };
  way[0] = within(way[0], from);
  way[1] = y[from] + heights[from] / 2;
  way[way.length - 2] = within(way.at(-2), to);
  way[way.length - 1] = y[to] - heights[to] / 2;
}

function move({boxes, edges}, dx, x, points) {
  for (const box of boxes) x[box] += dx;
  for (const edge of edges) points[edge] = points[edge].map((value, at) => (at % 2 === 0 ? value + dx : value));
}

// Moves everything so that the drawing begins at (0, 0), with a margin. Returns its size as well.
function framed({x, y, points, widths, heights}) {
  const margin = 24;
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  const take = (x0, y0, x1, y1) => {
    left = Math.min(left, x0);
    top = Math.min(top, y0);
    right = Math.max(right, x1);
    bottom = Math.max(bottom, y1);
  };
  for (let i = 0; i < x.length; ++i) take(x[i] - widths[i] / 2, y[i] - heights[i] / 2, x[i] + widths[i] / 2, y[i] + heights[i] / 2);
  for (const way of points) for (let i = 0; i < way.length; i += 2) take(way[i], way[i + 1], way[i], way[i + 1]);
  if (!(left <= right)) left = top = right = bottom = 0;
  for (let i = 0; i < x.length; ++i) {
    x[i] += margin - left;
    y[i] += margin - top;
  }
  for (const way of points) {
    for (let i = 0; i < way.length; i += 2) {
      way[i] += margin - left;
      way[i + 1] += margin - top;
    }
  }
  return {x, y, points, width: right - left + 2 * margin, height: bottom - top + 2 * margin};
}

// Splits boxes into connected components, each in order of execution. Sources (boxes without incoming edges) come directly
// before the first box that uses them.
function components(count, edges) {
  const into = Array.from({length: count}, () => []), out = Array.from({length: count}, () => []);
  edges.forEach(([from, to], edge) => {
    into[to].push(edge);
    out[from].push(edge);
  });
  const component = new Int32Array(count).fill(-1);
  const found = [];
  for (let start = 0; start < count; ++start) {
    if (component[start] >= 0) continue;
    const open = [start];
    component[start] = found.length;
    while (open.length > 0) {
      const box = open.pop();
      for (const next of [...into[box].map((edge) => edges[edge][0]), ...out[box].map((edge) => edges[edge][1])]) {
        if (component[next] >= 0) continue;
        component[next] = found.length;
        open.push(next);
      }
    }
    found.push({boxes: [], edges: []});
  }
  const isTaken = new Uint8Array(count);
  const take = (box) => {
    if (isTaken[box]) return;
    isTaken[box] = 1;
    found[component[box]].boxes.push(box);
    for (const edge of out[box]) {  // take an `end` that only this box leads to and that leads nowhere, such as an output
      const end = edges[edge][1];
      if (out[end].length === 0 && into[end].length === 1) take(end);
    }
  };
  for (let box = 0; box < count; ++box) {
    if (into[box].length === 0 && out[box].length > 0) continue;
    for (const edge of into[box]) if (into[edges[edge][0]].length === 0) take(edges[edge][0]);
    take(box);
  }
  for (let box = 0; box < count; ++box) take(box);
  edges.forEach(([from], edge) => found[component[from]].edges.push(edge));
  return found;
}

// Cuts a component at boxes that all paths pass through. Adjacent parts share such a box.
function parts(boxes, edgeNumbers, edges) {
  const place = new Map(boxes.map((box, i) => [box, i]));
  const reach = new Int32Array(boxes.length);  // for each box, the greatest index of a box that its edges lead to
  for (const edge of edgeNumbers) {
    const from = place.get(edges[edge][0]);
    reach[from] = Math.max(reach[from], place.get(edges[edge][1]));
  }
  const starts = [0];
  let far = 0;
  const isReached = new Uint8Array(boxes.length);
  for (const edge of edgeNumbers) isReached[place.get(edges[edge][1])] = 1;
  for (let i = 0; i < boxes.length; ++i) {
    if (i > 0 && i + 1 < boxes.length && far <= i && isReached[i]) starts.push(i);
    far = Math.max(far, reach[i]);
  }
  // A source comes directly before the first box that uses it (see components), so both are in the same part.
  const result = starts.map((start, i) => ({boxes: boxes.slice(start, (starts[i + 1] ?? boxes.length - 1) + 1), edges: []}));
  let part = 0;
  const partOf = new Int32Array(boxes.length);
  for (let i = 0; i < boxes.length; ++i) {
    while (part + 1 < starts.length && i >= starts[part + 1]) ++part;
    partOf[i] = part;
  }
  for (const edge of edgeNumbers) result[partOf[place.get(edges[edge][0])]].edges.push(edge);
  return result;
}

// Lays out a part, with boxes and edges numbered from 0. Equal parts are laid out once.
function placePart({boxes, edges: numbers}, widths, heights, edges, known) {
  const place = new Map(boxes.map((box, i) => [box, i]));
  // Widths are rounded up, so that more parts are equal.
  const size = (value) => Math.ceil(value / 24) * 24;
  const local = {
    widths: boxes.map((box) => size(widths[box])), heights: boxes.map((box) => heights[box]),
    edges: numbers.map((edge) => [place.get(edges[edge][0]), place.get(edges[edge][1])]),
  };
  const key = JSON.stringify(local);
  let placed = known.get(key);
  if (!placed) {
    placed = boxes.length === 2 && numbers.length === 1 ? pair(local.heights) : layered(local);
    placed.left = Math.min(...boxes.slice(0, 10_000).map((_, i) => placed.x[i] - local.widths[i] / 2));
    placed.right = boxes.reduce((right, _, i) => Math.max(right, placed.x[i] + local.widths[i] / 2), -Infinity);
    known.set(key, placed);
  }
  return placed;
}

// Places two boxes connected by an edge. Most parts are such pairs.
function pair([above, below]) {
  const y = (above + below) / 2 + layerGap;
  return {x: [0, 0], y: [0, y], points: [[0, above / 2, 0, y - below / 2]]};
}

// Lays out in layers: each box is below all its predecessors, and long edges pass intermediate layers in lanes.
function layered({widths, heights, edges}) {
  const count = widths.length;
  const items = widths.map((width) => ({width, layer: 0, position: 0, x: 0, isBox: true, above: [], below: []}));
  assignLayers(items, edges);
  const layers = Array.from({length: 1 + items.reduce((most, item) => Math.max(most, item.layer), 0)}, () => []);
  const lanes = addLanes(items, edges);
  items.forEach((item, i) => {
    item.position = layers[item.layer].length;
    layers[item.layer].push(i);
  });
  const sweep = (times, visit) => {
    for (let time = 0; time < times; ++time) {
      for (let i = 1; i < layers.length; ++i) visit(layers[time % 2 === 0 ? i : layers.length - 1 - i], time % 2 === 0 ? 'above' : 'below');
    }
  };
  sweep(8, (layer, side) => sortLayer(items, layers, layer, side));
  for (const layer of layers) placeLayer(items, layer);
  sweep(10, (layer, side) => placeLayer(items, layer, side));
  const tops = [], bottoms = [];
  let top = 0;
  for (const layer of layers) {
    const height = layer.reduce((most, i) => (i < count ? Math.max(most, heights[i]) : most), 0);
    tops.push(top);
    bottoms.push(top + height);
    top += height + layerGap;
  }
  const y = heights.map((_, i) => (tops[items[i].layer] + bottoms[items[i].layer]) / 2);
  const points = edges.map(([from, to], edge) => [
    items[from].x, y[from] + heights[from] / 2,
    ...lanes[edge].flatMap((lane) => [items[lane].x, tops[items[lane].layer], items[lane].x, bottoms[items[lane].layer]]),
    items[to].x, y[to] - heights[to] / 2,
  ]);
  return {x: items.slice(0, count).map((item) => item.x), y, points};
}

// Assigns layers. The first box is in the top layer and the last box in the bottom layer, because adjacent parts are joined there.
function assignLayers(items, edges) {
  const into = items.map(() => []), out = items.map(() => []);
  for (const [from, to] of edges) {
    into[to].push(from);
    out[from].push(to);
  }
  // Uses Kahn's algorithm, because sources may come after unrelated boxes.
  const missing = into.map((list) => list.length);
  const open = missing.flatMap((number, i) => (number === 0 ? [i] : []));
  for (let next = 0; next < open.length; ++next) {
    for (const to of out[open[next]]) {
      items[to].layer = Math.max(items[to].layer, items[open[next]].layer + 1);
      if (--missing[to] === 0) open.push(to);
    }
  }
  items.forEach((item, i) => {
    if (i === 0 || into[i].length > 0 || out[i].length === 0) return;
    item.layer = Math.max(1, out[i].reduce((least, to) => Math.min(least, items[to].layer), Infinity)) - 1;
  });
  items.at(-1).layer = items.reduce((most, item) => Math.max(most, item.layer), 0);
}

// Adds lanes: an item for each layer that an edge crosses. If there are too many, the longest edges get no lanes.
function addLanes(items, edges) {
  const length = ([from, to]) => items[to].layer - items[from].layer;
  const order = edges.map((_, edge) => edge).sort((a, b) => length(edges[a]) - length(edges[b]) || a - b);
  const lanes = edges.map(() => []);
  let rest = 20_000 + 8 * items.length;
  for (const edge of order) {
    const [from, to] = edges[edge];
    const count = items[to].layer - items[from].layer - 1;
    if (count > rest) break;
    rest -= count;
    let above = from;
    const connect = (below) => {
      items[above].below.push(below);
      items[below].above.push(above);
      above = below;
    };
    for (let layer = items[from].layer + 1; layer < items[to].layer; ++layer) {
      items.push({width: 0, layer, position: 0, x: 0, isBox: false, above: [], below: []});
      lanes[edge].push(items.length - 1);
      connect(items.length - 1);
    }
    connect(to);
  }
  return lanes;
}

// Sorts a layer by the mean position of each item's neighbours in the adjacent layer.
function sortLayer(items, layers, layer, side) {
  const keys = new Map();
  for (const i of layer) {
    const neighbours = items[i][side];
    const places = neighbours.length > 0 ? neighbours : [i];
    let sum = 0;
    for (const other of places) sum += (items[other].position + 0.5) / layers[items[other].layer].length;
    keys.set(i, sum / places.length);
  }
  layer.sort((a, b) => keys.get(a) - keys.get(b) || items[a].position - items[b].position);
  layer.forEach((i, position) => {
    items[i].position = position;
  });
}

// Moves items towards the mean position of their neighbours, without changing their order or overlapping. Items that would
// overlap are merged into a block, which takes the weighted mean of its items' wished positions.
function placeLayer(items, layer, side) {
  const blocks = [], offsets = [];
  layer.forEach((i, position) => {
    const item = items[i], before = items[layer[position - 1]];
    offsets.push(position === 0 ? 0 : offsets[position - 1] + (before.width + item.width) / 2 + (before.isBox || item.isBox ? gap : laneGap));
    let wanted = item.x, weight = 0.01;
    const neighbours = side ? item[side] : [];
    if (neighbours.length > 0) {
      wanted = neighbours.reduce((sum, other) => sum + items[other].x, 0) / neighbours.length;
      weight = item.isBox ? 1 : 4;  // lanes weigh more, to keep long edges straight
    }
    blocks.push({sum: (wanted - offsets[position]) * weight, weight, count: 1});
    while (blocks.length > 1 && blocks.at(-2).sum / blocks.at(-2).weight >= blocks.at(-1).sum / blocks.at(-1).weight) {
      const merged = blocks.pop(), last = blocks.at(-1);
      last.sum += merged.sum;
      last.weight += merged.weight;
      last.count += merged.count;
    }
  });
  let next = 0;
  for (const {sum, weight, count} of blocks) {
    for (let i = 0; i < count; ++i, ++next) items[layer[next]].x = sum / weight + offsets[next];
  }
}
