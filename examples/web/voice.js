// Detects speech in the sound of the microphone or a file.
import {createPackage, offerComparison} from './engines.js';
import {byId, files, median, milliseconds} from './page.js';
import {drawCurve} from './voice_curve.js';
import {createFeatures, createHops, createResampler, hop, rate} from './voice_features.js';

const model = {url: 'voice/voice.webnn', weights: 'voice/voice.safetensors', onnx: files.voiceOnnx && 'voice/voice.onnx'};
const network = createPackage(model);
const player = byId('player'), slider = byId('threshold');
const perSecond = rate / hop;
const spanOfMicrophone = 10 * perSecond, mostWaiting = 2 * perSecond;
const pause = 0.3;  // seconds: shorter pauses count as speech

let values = new Float32Array(40).fill(-8);  // the features of the last frame
let points = [], span = spanOfMicrophone;    // points of the current sound, and the number of points that fill the curve's width
let times = [];                              // computation times of the last frames, in ms
let source = 0;                              // counts the sounds started; work for an earlier sound stops when this has changed

const threshold = () => slider.value / 100;

// ---- Showing ----

let isDrawing = false;

function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    const position = player.hidden || !player.duration ? undefined : player.currentTime / player.duration;
    drawCurve(byId('curve'), points, {span, threshold: threshold(), position});
    if (times.length) byId('time').textContent = `Computed in ${milliseconds(median(times))} for each 16 ms, in a worker.`;
    if (!player.paused) draw();
  });
}

function say(text) {
  if (byId('said').textContent !== text) byId('said').textContent = text;
}

/** Returns the parts of a sound that contain speech: [begin, end] in seconds. */
function partsOf(all) {
  const parts = [];
  for (const [i, {probability}] of all.entries()) {
    if (probability < threshold()) continue;
    const last = parts.at(-1), begin = i / perSecond;
    if (last && begin - last[1] <= pause) last[1] = begin + 1 / perSecond;
    else parts.push([begin, begin + 1 / perSecond]);
  }
  return parts;
}

function sayParts() {
  const parts = partsOf(points), seconds = parts.reduce((sum, [begin, end]) => sum + end - begin, 0);
  const list = parts.slice(0, 5).map(([begin, end]) => `${begin.toFixed(1)} to ${end.toFixed(1)}`).join(', ');
  say(parts.length ? `Speech for ${seconds.toFixed(1)} of ${(points.length / perSecond).toFixed(1)} seconds: ${list}${parts.length > 5 ? ', …' : ''}.`
    : 'There is no speech.');
}

const sayNow = () => say(partsOf(points.slice(-Math.ceil(pause * perSecond))).length ? 'Speech.' : 'No speech.');

const summarize = () => {
  if (points.length) (stream ? sayNow : sayParts)();
};

// ---- Computing ----

/** Returns a function that runs the network on the next 256 samples and adds a point to the curve. */
async function listen() {
  const run = await network, featuresOf = createFeatures();
  run.reset();
  return async (samples) => {
    const start = performance.now();
    values = featuresOf(samples);
    const [probability] = await run(values);
    times = [...times.slice(-99), performance.now() - start];
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / hop;
    points.push({level: 10 * Math.log10(power + 1e-9), probability});
    draw();
  };
}

/** Ends the previous sound and begins a new one. */
function begin() {
  stopMicrophone();
  player.pause();
  player.hidden = true;
  points = [];
  source += 1;
  draw();
  return source;
}

async function hearFile(blob) {
  const mine = begin();
  say('Listening …');
  try {
    const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(await blob.arrayBuffer()).catch(() => {
      throw new Error('This file is no sound that the browser knows.');
    });
    if (mine !== source) return;
    const hear = await listen();
    const channels = Array.from({length: sound.numberOfChannels}, (_, i) => sound.getChannelData(i));
    const samples = channels[0].map((_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length);
    const hops = createHops()(samples);
    if (!hops.length) throw new Error('This file is too short.');
    span = hops.length;
    play(blob);
    for (const each of hops) {
      if (mine !== source) return;
      await hear(each);
    }
    sayParts();
  } catch (error) {
    if (mine === source) say(error.message);
  }
}

function play(blob) {
  URL.revokeObjectURL(player.src);
  player.src = URL.createObjectURL(blob);
  player.hidden = false;
}

// ---- The microphone ----

let stream, audio;

function stopMicrophone() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  audio?.close();
  stream = audio = undefined;
  byId('microphone').textContent = 'Use the microphone';
}

const noMicrophone = 'There is no microphone here. Choose a file.';
const refusals = {
  NotFoundError: noMicrophone,
  OverconstrainedError: noMicrophone,  // WebKitGTK throws it if there is no microphone
  NotAllowedError: 'The microphone is not allowed for this page: allow it in the browser’s settings of the page, or choose a file.',
  NotReadableError: 'The microphone is in use, or does not work.',
};

async function openMicrophone() {
  // mediaDevices exists only on pages from https or from this computer.
  if (!navigator.mediaDevices) throw new Error('Browsers give the microphone only to pages of https and of localhost.');
  try {
    // Turn off the browser's processing, because its noise suppression would hide how well the network ignores noise.
    return await navigator.mediaDevices.getUserMedia({audio: {channelCount: 1, noiseSuppression: false, echoCancellation: false, autoGainControl: false}});
  } catch (error) {
    throw new Error(refusals[error.name] ?? `There is no microphone for this page: ${error.message}`, {cause: error});
  }
}

async function hearMicrophone() {
  const mine = begin();
  span = spanOfMicrophone;
  say('Waiting for the microphone …');
  try {
    const opened = await openMicrophone();
    if (mine !== source) return opened.getTracks().forEach((track) => track.stop());
    stream = opened;
    // The track ends if the microphone is unplugged or the permission is withdrawn.
    stream.getAudioTracks()[0].addEventListener('ended', endMicrophone);
    audio = new AudioContext();
    byId('microphone').textContent = 'Stop the microphone';
    await audio.audioWorklet.addModule('voice_microphone.js');
    const hear = await listen();
    if (mine !== source) return;
    const node = new AudioWorkletNode(audio, 'microphone', {numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit'});
    audio.createMediaStreamSource(stream).connect(node);
    const resample = createResampler(audio.sampleRate), hopsOf = createHops(), waiting = [];
    let isBusy = false;
    node.port.onmessage = async ({data}) => {
      waiting.push(...hopsOf(resample(data)));
      if (waiting.length > mostWaiting) waiting.length = 0;  // a slow computer skips sound, to stay with the present
      if (isBusy) return;
      isBusy = true;
      while (waiting.length && mine === source) {
        await hear(waiting.shift());
        points = points.slice(-span);
        sayNow();
      }
      isBusy = false;
    };
    say('Listening …');
  } catch (error) {
    if (mine !== source) return;
    stopMicrophone();
    say(error.message);
  }
}

function endMicrophone() {
  stopMicrophone();
  source += 1;
  sayParts();
}

byId('microphone').addEventListener('click', () => {
  if (stream) endMicrophone();
  else hearMicrophone();
});
byId('example').addEventListener('click', async () => hearFile(await (await fetch('voice/example.wav')).blob()));
byId('file').addEventListener('change', ({target}) => target.files[0] && hearFile(target.files[0]));
slider.addEventListener('input', () => {
  byId('percent').textContent = `${slider.value} %`;
  summarize();
  draw();
});
for (const event of ['play', 'seeked', 'loadedmetadata']) player.addEventListener(event, draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
new ResizeObserver(draw).observe(byId('curve'));
network.catch((error) => say(error.message));
offerComparison(model, () => values, 200);
