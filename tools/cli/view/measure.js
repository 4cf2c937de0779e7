// Sizes and contents of boxes, for the canvas and exported pictures.
const sizes = {title: [600, 12], line: [400, 11], edge: [400, 10]};  // font weight and size in pixels
const family = 'system-ui, sans-serif';
export const fonts = Object.fromEntries(Object.entries(sizes).map(([name, [weight, size]]) => [name, `${weight} ${size}px ${family}`]));
/** Returns a font of `fonts` as SVG attributes. */
export const fontAttributes = (name) => `font-family="${family}" font-weight="${sizes[name][0]}" font-size="${sizes[name][1]}"`;
export const headHeight = 23, lineHeight = 15, padding = 10, radius = 6;

let context;
const widths = new Map();

export function textWidth(text, font) {
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement('canvas').getContext('2d');
    context.font = font;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

export function measure(drawing) {
  for (const box of drawing.boxes) {
    const texts = box.lines.map((line) => textWidth(line, fonts.line));
    box.width = Math.ceil(Math.max(64, textWidth(box.title, fonts.title), ...texts) + 2 * padding);
    box.height = headHeight + (box.lines.length > 0 ? box.lines.length * lineHeight + 8 : 0);
  }
}

/** Stores the positions that layout() returned in the drawing. */
export function place(drawing, {x, y, points, width, height}) {
  drawing.boxes.forEach((box, i) => {
    box.x = x[i] - box.width / 2;
    box.y = y[i] - box.height / 2;
  });
  drawing.edges.forEach((edge, i) => {
    edge.points = points[i];
    for (let at = 0; at < edge.points.length; at += 2) {
      edge.left = Math.min(edge.left ?? Infinity, edge.points[at]);
      edge.right = Math.max(edge.right ?? -Infinity, edge.points[at]);
    }
  });
  drawing.width = width;
  drawing.height = height;
}

/** Returns the position of an edge's text: the middle of a segment at or after the middle of the edge. */
export function labelPlace({points}) {
  const middle = Math.max(0, Math.min(points.length / 2 - 2, Math.floor((points.length / 2 - 1) / 2))) * 2;
  return {x: (points[middle] + points[middle + 2]) / 2, y: (points[middle + 1] + points[middle + 3]) / 2};
}

/** Draws an edge as a curve with path.moveTo(), quadraticCurveTo() and lineTo(). */
export function trace(points, path) {
  path.moveTo(points[0], points[1]);
  for (let i = 2; i + 3 < points.length; i += 2) {
    path.quadraticCurveTo(points[i], points[i + 1], (points[i] + points[i + 2]) / 2, (points[i + 1] + points[i + 3]) / 2);
  }
  path.lineTo(points.at(-2), points.at(-1));
}
