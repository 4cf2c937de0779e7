// Classifies a picture from a file or the camera.
import {createPackage, offerComparison} from './engines.js';
import {byId, element, files, milliseconds, showBars} from './page.js';

const model = {url: 'models/squeezenet1.1.onnx', onnx: 'models/squeezenet1.1.onnx'};
const side = 224, mean = [0.485, 0.456, 0.406], deviation = [0.229, 0.224, 0.225];
const shown = byId('picture').getContext('2d');
const small = element('canvas', {width: side, height: side}).getContext('2d', {willReadFrequently: true});
const video = byId('video');

let classifier, labels;
let values = new Float32Array(3 * side * side);  // pixels of the last picture

// Converts the middle square of a picture to the model's input: planes of red, green and blue, each normalized by mean and
// standard deviation.
function prepare(picture, width, height) {
  const square = Math.min(width, height), from = [(width - square) / 2, (height - square) / 2, square, square];
  for (const context of [shown, small]) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, ...from, 0, 0, context.canvas.width, context.canvas.height);
  }
  const {data} = small.getImageData(0, 0, side, side), size = side * side;
  values = Float32Array.from({length: 3 * size}, (_, i) => {
    const channel = Math.floor(i / size);
    return (data[4 * (i % size) + channel] / 255 - mean[channel]) / deviation[channel];
  });
}

function softmax(scores) {
  const most = Math.max(...scores), powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

async function classify() {
  try {
    const run = await (classifier ??= createPackage(model));
    labels ??= (await (await fetch('models/imagenet_classes.txt')).text()).trim().split('\n');
    const start = performance.now();
    const scores = await run(values);
    const time = performance.now() - start;
    const best = [...softmax(scores)].map((value, i) => [labels[i], value]).sort(([, a], [, b]) => b - a).slice(0, 5);
    byId('said').textContent = `${best[0][1] < 0.5 ? 'Perhaps' : 'It is'}: ${best[0][0]}.`;
    showBars(byId('bars'), best);
    byId('time').textContent = `Computed in ${milliseconds(time)}, in a worker.`;
  } catch (error) {
    classifier = undefined;
    byId('said').textContent = error.message;
  }
}

async function showBlob(blob) {
  stopCamera();
  try {
    const image = await createImageBitmap(blob);
    prepare(image, image.width, image.height);
    await classify();
  } catch {
    byId('said').textContent = 'This file is no picture that the browser knows.';
  }
}

let stream;  // the camera's; undefined while the page does not use the camera

function stopCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  byId('camera').textContent = 'Use the camera';
}

async function startCamera() {
  try {
    stream = await navigator.mediaDevices.getUserMedia({video: {facingMode: 'environment'}});
  } catch (error) {
    byId('said').textContent = `There is no camera for this page: ${error.message}`;
    return;
  }
  byId('camera').textContent = 'Stop the camera';
  video.srcObject = stream;
  await video.play();
  while (stream) {
    await new Promise(requestAnimationFrame);
    if (!stream || !video.videoWidth) continue;
    prepare(video, video.videoWidth, video.videoHeight);
    await classify();
  }
}

function offer() {
  byId('file').addEventListener('change', ({target}) => target.files[0] && showBlob(target.files[0]));
  byId('camera').addEventListener('click', () => (stream ? stopCamera() : startCamera()));
  const example = async () => showBlob(await (await fetch('models/photo.jpg')).blob());
  byId('example').addEventListener('click', example);
  byId('example').hidden = !files.photo;
  offerComparison(model, () => values, 20);
  if (files.photo) example();
}

if (files.squeezenet) {
  offer();
} else {
  byId('missing').hidden = false;
  for (const id of ['file', 'camera', 'example']) byId(id).disabled = true;
  byId('comparison').textContent = 'There is no model to measure.';
}
