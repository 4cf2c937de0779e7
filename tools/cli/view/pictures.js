// Exports drawings as files: SVG, or PNG scaled to what a canvas allows.
import {colours, styleOf} from './colours.js';
import {fontAttributes, headHeight, labelPlace, lineHeight, radius, trace} from './measure.js';

const escapes = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};
// Escapes text for XML. Characters that XML does not allow become U+FFFD.
const markup = (text) => String(text).toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
  .replace(/[&<>"]/g, (character) => escapes[character]);
const round = (value) => Math.round(value * 10) / 10;

function pathOf(points) {
  const parts = [];
  trace(points, {
    moveTo: (x, y) => parts.push(`M${round(x)} ${round(y)}`),
    lineTo: (x, y) => parts.push(`L${round(x)} ${round(y)}`),
    quadraticCurveTo: (a, b, x, y) => parts.push(`Q${round(a)} ${round(b)} ${round(x)} ${round(y)}`),
  });
  return parts.join('');
}

function boxText(box, scale, paint) {
  const style = styleOf(box, scale), middle = round(box.x + box.width / 2);
  const rect = (height, fill, stroke) => `<rect x="${round(box.x)}" y="${round(box.y)}" width="${box.width}" height="${height}" rx="${radius}" fill="${fill}"${stroke}/>`;
  const isWhole = style.isWhole || box.lines.length === 0;
  const stroke = ` stroke="${style.differs ? paint.bad : paint.line}" stroke-width="${style.differs ? 2.5 : 1}"`;
  const parts = [rect(box.height, isWhole ? style.fill : paint.box, stroke)];
  if (!isWhole) {
    const [x, y] = [round(box.x), round(box.y)];
    parts.push(`<path d="M${x} ${y + headHeight}v${radius - headHeight}q0 ${-radius} ${radius} ${-radius}h${box.width - 2 * radius}q${radius} 0 ${radius} ${radius}v${headHeight - radius}z" fill="${style.fill}"/>`);
  }
  const text = (content, y, font, fill) => `<text x="${middle}" y="${round(y)}" ${fontAttributes(font)} fill="${fill}">${markup(content)}</text>`;
  parts.push(text(box.title, box.y + headHeight / 2 + 4.5, 'title', style.ink));
  box.lines.forEach((line, i) => parts.push(text(line, box.y + headHeight + 8 + (i + 0.5) * lineHeight, 'line', style.isWhole ? style.ink : paint.pale)));
  return parts.join('');
}

/** Returns the whole drawing as SVG. */
export function svgOf(drawing, scale, title) {
  const paint = colours(), width = Math.ceil(drawing.width), height = Math.ceil(drawing.height);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" text-anchor="middle">`,
    `<title>${markup(title)}</title>`,
    `<defs><marker id="arrow" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" fill="${paint.edge}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="${paint.page}"/>`,
    `<g fill="none" stroke="${paint.edge}" stroke-width="1.2">`,
    ...drawing.edges.map((edge) => `<path d="${pathOf(edge.points)}" marker-end="url(#arrow)"/>`), '</g>',
    `<g ${fontAttributes('edge')} fill="${paint.pale}" stroke="${paint.page}" stroke-width="4" paint-order="stroke">`,
    ...drawing.edges.map((edge) => {
      const {x, y} = labelPlace(edge);
      return `<text x="${round(x)}" y="${round(y + 3.5)}">${markup(edge.text)}</text>`;
    }), '</g>',
    ...drawing.boxes.map((box) => boxText(box, scale, paint)), '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

const mostPixels = 16e6, mostSide = 16_000;

/** Returns the whole drawing as PNG, at twice its size, or smaller if a canvas could not hold it. */
export async function pngOf(drawing, svg) {
  const factor = Math.min(2, mostSide / drawing.width, mostSide / drawing.height, Math.sqrt(mostPixels / (drawing.width * drawing.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(drawing.width * factor));
  canvas.height = Math.max(1, Math.round(drawing.height * factor));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png');
  });
}

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
