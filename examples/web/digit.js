// The page on which a user draws a digit for the model to recognize.
import {createPackage, offerComparison} from './engines.js';
import {byId, element, files, milliseconds, showBars} from './page.js';

const model = {url: 'digits/digits.webnn', weights: 'digits/digits.safetensors', onnx: files.digitsOnnx && 'digits/digits.onnx'};
const side = 28, glyph = 20;
const drawing = byId('drawing'), pen = drawing.getContext('2d', {willReadFrequently: true});
const small = element('canvas', {width: side, height: side}).getContext('2d', {willReadFrequently: true});

let values = new Float32Array(side * side);  // pixels of the last picture
const classifier = createPackage(model);

// Returns the grey values, 0 to 1, of a canvas of side x side pixels.
function pixelsOf(context) {
  const {data} = context.getImageData(0, 0, side, side);
  return Float32Array.from({length: side * side}, (_, i) => data[4 * i] / 255);
}

/** Returns the rectangle that contains all drawn pixels, or undefined if nothing is drawn. */
function inkOf({data, width, height}) {
  let left = width, right = -1, top = height, bottom = -1;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      if (data[4 * (y * width + x)] < 64) continue;
      left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? undefined : {left, top, width: right - left + 1, height: bottom - top + 1};
}

// Scales the drawing to 20 pixels in the middle of 28, as in the training pictures.
function shrink() {
  const ink = inkOf(pen.getImageData(0, 0, drawing.width, drawing.height));
  if (!ink) return undefined;
  const scale = glyph / Math.max(ink.width, ink.height), width = ink.width * scale, height = ink.height * scale;
  small.fillStyle = '#000';
  small.fillRect(0, 0, side, side);
  small.imageSmoothingQuality = 'high';
  small.drawImage(drawing, ink.left, ink.top, ink.width, ink.height, (side - width) / 2, (side - height) / 2, width, height);
  return pixelsOf(small);
}

let isBusy = false, isStale = false;

async function classify(next) {
  if (next) values = next;
  isStale = true;
  if (isBusy) return;
  isBusy = true;
  try {
    const run = await classifier;
    while (isStale) {
      isStale = false;
      const start = performance.now();
      const probabilities = [...await run(values)];
      const time = performance.now() - start;
      const digit = probabilities.indexOf(Math.max(...probabilities));
      byId('said').textContent = `It is a ${digit}.`;
      showBars(byId('bars'), probabilities.map((value, i) => [`${i}`, value]));
      byId('time').textContent = `Computed in ${milliseconds(time)}, in a worker.`;
    }
  } catch (error) {
    byId('said').textContent = error.message;
  }
  isBusy = false;
}

function clear() {
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, drawing.width, drawing.height);
  byId('said').textContent = 'It is waiting for a drawing.';
  byId('time').textContent = '';
  showBars(byId('bars'), Array.from({length: 10}, (_, i) => [`${i}`, 0]));
}

function pointOf(event) {
  const {left, top, width, height} = drawing.getBoundingClientRect();
  return [(event.clientX - left) * drawing.width / width, (event.clientY - top) * drawing.height / height];
}

function stroke(from, to) {
  Object.assign(pen, {strokeStyle: '#fff', lineWidth: 22, lineCap: 'round', lineJoin: 'round'});
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

let last;
drawing.addEventListener('pointerdown', (event) => {
  drawing.setPointerCapture(event.pointerId);
  stroke(last = pointOf(event), last);
});
drawing.addEventListener('pointermove', (event) => {
  if (!last) return;
  for (const each of event.getCoalescedEvents?.() ?? [event]) stroke(last, last = pointOf(each));
  classify(shrink());
});
for (const end of ['pointerup', 'pointercancel']) {
  drawing.addEventListener(end, () => {
    if (last) classify(shrink());
    last = undefined;
  });
}
byId('clear').addEventListener('click', clear);

async function showSample(address) {
  const image = await createImageBitmap(await (await fetch(address)).blob());
  pen.imageSmoothingEnabled = true;
  pen.drawImage(image, 0, 0, drawing.width, drawing.height);
  small.drawImage(image, 0, 0);
  classify(pixelsOf(small));
}
byId('samples').replaceChildren(...Array.from({length: 10}, (_, digit) => {
  const address = `digits/samples/${digit}.png`;
  const button = element('button', {type: 'button'}, element('img', {src: address, alt: `example ${digit}`}));
  button.addEventListener('click', () => showSample(address));
  return button;
}));

clear();
offerComparison(model, () => values, 200);
