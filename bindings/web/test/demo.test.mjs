// Tests the demo pages (examples/web) as `make web-demo` serves them, using mouse and keyboard.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers, launch} from './support/browsers.mjs';
import {listen} from './support/run.mjs';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const photo = path.join(repository, '../shared/models/squeezenet1.1/photo.jpg');
const vectors = process.env.WEBNN_VECTORS ?? path.join(repository, '../shared/wpt');
const few = ['relu', 'conv2d', 'softmax', 'cast'];  // test vectors that the conformance page runs

// --- User actions

/** Waits (at most two minutes) until an element's text matches. Returns its last text. */
async function textOf(tab, selector, pattern) {
  const text = await tab.evaluate(async (wanted, source, flags) => {
    const expected = new RegExp(source, flags), end = performance.now() + 120_000;
    const read = () => document.querySelector(wanted)?.textContent.trim() ?? '';
    while (!expected.test(read()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    return read();
  }, selector, pattern.source, pattern.flags);
  assert.match(text, pattern, selector);
  return text;
}

/** Draws a line in an element. Points are fractions of its width and height. */
async function draw(tab, selector, points) {
  const [left, top, width, height] = await tab.evaluate((wanted) => {
    const element = document.querySelector(wanted);
    element.scrollIntoView({block: 'center'});
    const box = element.getBoundingClientRect();
    return [box.left, box.top, box.width, box.height];
  }, selector);
  const [first, ...others] = points.map(([x, y]) => [left + x * width, top + y * height]);
  await tab.mouse.move(...first);
  await tab.mouse.down();
  for (const each of others) await tab.mouse.move(...each);
  await tab.mouse.up();
}

const chooseFile = async (tab, selector, file) => (await tab.$(selector)).uploadFile(file);

/** Presses Tab until the element has the focus, which must be visible. Returns the selectors of elements focused before. */
async function tabTo(tab, selector) {
  const passed = [];
  for (;;) {
    await tab.keyboard.press('Tab');
    const {name, isThere, isSeen} = await tab.evaluate((wanted) => {
      const {activeElement} = document;
      return {
        name: activeElement.id ? `#${activeElement.id}` : activeElement.localName, isThere: activeElement.matches(wanted),
        // An audio element shows the focus on its controls.
        isSeen: activeElement.localName === 'audio' || getComputedStyle(activeElement).outlineStyle !== 'none',
      };
    }, selector);
    assert.ok(isSeen, `${name} does not show that it has the focus`);
    if (isThere) return passed;
    assert.ok(passed.push(name) < 50, `${selector} is not reached: ${passed}`);
  }
}

/** Presses "Measure" and checks that each engine shows times or a reason. `hasOnnx`: onnxruntime-web can run the model. */
async function measure(tab, files, hasOnnx) {
  await tab.click('#comparison button');
  await textOf(tab, '#comparison tbody tr:nth-child(3)', /./);  // wait for the last engine
  const rows = await tab.evaluate(() => [...document.querySelectorAll('#comparison tbody tr')].map((row) =>
    [...row.cells].map((cell) => cell.textContent)));
  const time = /^\d+\.\d+ ms$/;
  const [[, first, each], other] = rows;
  assert.match(first, time);
  assert.match(each, time);
  if (files.onnxruntimeWeb && hasOnnx) {
    assert.match(other[1], time);
    assert.match(other[2], time);
    assert.ok(Number(other[3]) < 1e-4, `the difference is ${other[3]}`);
  } else {
    assert.match(other[1], files.onnxruntimeWeb ? /there is no ONNX file/ : /onnxruntime-web is not here/);
  }
}

// examples/voice/example.wav contains two utterances, which begin at 0.7 and 2.6 seconds.
const parts = /^Speech for [1-3]\.\d of 4\.0 seconds: [01]\.\d to [12]\.\d, [23]\.\d to [34]\.\d\.$/;

const angles = Array.from({length: 25}, (_, i) => -Math.PI / 2 + i * Math.PI / 12);

/** {page: {missing: (files) => reason to skip the page, use: (tab, files) => test of the page}} */
const pages = {
  'index.html': {
    missing: () => false,
    async use(tab) {
      await textOf(tab, '#facts tr:nth-child(2)', /^WebAssembly ?yes$/);
      await textOf(tab, '#facts tr:nth-child(3)', /yes$/);  // "isolated" is yes
    },
  },
  'digit.html': {
    missing: () => false,
    async use(tab, files) {
      await draw(tab, '#drawing', [[0.25, 0.2], [0.5, 0.2], [0.75, 0.2], [0.65, 0.4], [0.55, 0.6], [0.45, 0.85]]);
      await textOf(tab, '#said', /^It is a 7\.$/);
      await textOf(tab, '#time', /^Computed in \d+\.\d+ ms/);
      await tab.click('#clear');
      await textOf(tab, '#said', /^It is waiting for a drawing\.$/);
      await draw(tab, '#drawing', angles.map((angle) => [0.5 + 0.22 * Math.cos(angle), 0.5 + 0.32 * Math.sin(angle)]));
      await textOf(tab, '#said', /^It is a 0\.$/);
      for (const digit of [3, 8]) {
        await tab.click(`#samples button:nth-child(${digit + 1})`);
        await textOf(tab, '#said', new RegExp(`^It is a ${digit}\\.$`));
        await textOf(tab, '#bars .best .name', new RegExp(`^${digit}$`));
      }
      await measure(tab, files, files.digitsOnnx);
    },
  },
  'picture.html': {
    missing: ({squeezenet, photo}) => !(squeezenet && photo) && 'the model or the example is not there',
    async use(tab, files) {
      await textOf(tab, '#said', /^(It is|Perhaps): lesser panda\.$/);
      await chooseFile(tab, '#file', fileURLToPath(import.meta.url));
      await textOf(tab, '#said', /^This file is no picture/);
      await tab.click('#example');
      await textOf(tab, '#said', /^(It is|Perhaps): lesser panda\.$/);
      await chooseFile(tab, '#file', path.join(repository, 'examples/digits/samples/7.png'));
      await textOf(tab, '#said', /^(It is|Perhaps): (?!lesser panda)/);
      await chooseFile(tab, '#file', photo);
      await textOf(tab, '#said', /^(It is|Perhaps): lesser panda\.$/);
      await measure(tab, files, true);
    },
  },
  'voice.html': {
    missing: () => false,
    async use(tab, files) {
      await tab.click('#example');
      await textOf(tab, '#said', parts);
      await textOf(tab, '#time', /^Computed in \d+\.\d+ ms/);
      await chooseFile(tab, '#file', fileURLToPath(import.meta.url));
      await textOf(tab, '#said', /^This file is no sound/);
      await chooseFile(tab, '#file', path.join(repository, 'examples/voice/example.wav'));
      await textOf(tab, '#said', parts);
      await measure(tab, files, files.voiceOnnx);
    },
  },
  'conformance.html': {
    missing: ({vectors}) => vectors.length === 0 && 'the vectors are not there',
    async use(tab, files) {
      const counts = files.vectors.map((name) => JSON.parse(fs.readFileSync(path.join(vectors, `${name}.json`))).cases.length);
      const sum = counts.reduce((a, b) => a + b);
      await tab.click('#run');
      await textOf(tab, '#said', new RegExp(`^${sum} of ${sum} pass, in `));
    },
  },
};

test('each page of examples/web is one of these', () => {
  const names = fs.readdirSync(path.join(repository, 'examples/web')).filter((name) => name.endsWith('.html'));
  assert.deepEqual(Object.keys(pages).sort(), names.sort());
});

/** Runs scripts/web_demo.mjs with few test vectors. Returns {origin, files, close}. */
async function serveDemo() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-demo-'));
  const chosen = path.join(folder, 'few');
  fs.mkdirSync(chosen);
  for (const name of few) if (fs.existsSync(vectors)) fs.copyFileSync(path.join(vectors, `${name}.json`), path.join(chosen, `${name}.json`));
  const demo = path.join(folder, 'demo');
  const child = spawn(process.execPath, [path.join(repository, 'scripts/web_demo.mjs'), '0', demo],
                      {env: {...process.env, WEBNN_VECTORS: chosen}, stdio: ['ignore', 'pipe', 'inherit']});
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const [origin] = /http:\/\/localhost:\d+/.exec(said) ?? [];
  assert.ok(origin, `web_demo.mjs: ${said}`);
  return {
    origin,
    files: JSON.parse(fs.readFileSync(path.join(demo, 'files.json'))),
    async close() {
      child.kill();
      await once(child, 'exit');
      fs.rmSync(folder, {recursive: true});
    },
  };
}

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, demo;
    before(async () => {
      demo = await serveDemo();
      browser = await launch(name);
    });
    after(async () => {
      await browser?.close();
      await demo?.close();
    });

    /** Opens a page and runs `use`. Asserts that the console remains empty. */
    async function onPage(file, use) {
      const tab = await browser.newPage(), lines = listen(tab);
      try {
        await tab.goto(`${demo.origin}/${file}`);
        if (file !== 'index.html') await textOf(tab, '#comparison button, #run:enabled', /./);  // created last, after the listeners
        await use(tab, demo.files);
      } finally {
        await tab.close();
      }
      assert.deepEqual(lines, []);
    }

    for (const [file, {missing, use}] of Object.entries(pages)) {
      test(`${file} can be used`, async (t) => {
        const reason = missing(demo.files);
        return reason ? t.skip(reason) : onPage(file, use);
      });
    }
    const onVoice = (use) => onPage('voice.html', use);

    test('voice.html says when the microphone is refused, and goes on', () => onVoice(async (tab) => {
      // Firefox refuses because browsers.mjs sets a preference. Tests cannot deny the permission in the other browsers.
      if (name !== 'firefox')
        await tab.evaluate(() => void (navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); }));
      await tab.click('#microphone');
      await textOf(tab, '#said', /^The microphone is not allowed for this page: .* or choose a file\.$/);
      await textOf(tab, '#microphone', /^Use the microphone$/);
      await tab.click('#example');
      await textOf(tab, '#said', parts);
    }));

    // Firefox's AudioContext does not run without an audio device.
    test('voice.html hears a microphone until it is stopped', {skip: name === 'firefox' && 'Firefox needs a device'}, () => onVoice(async (tab) => {
      await tab.evaluate(() => void (navigator.mediaDevices.getUserMedia = async () => {
        const audio = new AudioContext(), source = audio.createBufferSource(), end = audio.createMediaStreamDestination();
        source.buffer = await audio.decodeAudioData(await (await fetch('voice/example.wav')).arrayBuffer());
        source.loop = true;
        source.connect(end);
        source.start();
        [globalThis.track] = end.stream.getTracks();
        globalThis.playing = source;  // keeps the source from being collected
        return end.stream;
      }));
      await tab.click('#microphone');
      await textOf(tab, '#said', /^Speech\.$/);
      await textOf(tab, '#microphone', /^Stop the microphone$/);
      await textOf(tab, '#said', /^No speech\.$/);
      await tab.click('#microphone');
      await textOf(tab, '#said', /^Speech for \d+\.\d of \d+\.\d seconds: /);
      await textOf(tab, '#microphone', /^Use the microphone$/);
      assert.equal(await tab.evaluate(() => globalThis.track.readyState), 'ended');
    }));

    test('voice.html is used with the keyboard', {skip: name === 'webkit' && 'its pages have no keyboard here'}, () => onVoice(async (tab) => {
      assert.deepEqual(await tabTo(tab, '#microphone'), Array(5).fill('a'));  // links to the other pages
      await tabTo(tab, '#example');
      await tab.keyboard.press('Enter');
      await textOf(tab, '#said', parts);
      assert.equal((await tabTo(tab, '#threshold'))[0], '#file');
      await tab.keyboard.press('ArrowRight');
      await textOf(tab, '#percent', /^55 %$/);
      await textOf(tab, '#said', /^Speech for/);
      await tab.keyboard.press('End');
      await textOf(tab, '#percent', /^95 %$/);
      await tab.keyboard.press('Home');
      await textOf(tab, '#percent', /^5 %$/);
      await textOf(tab, '#said', /^Speech for/);
      await tabTo(tab, '#comparison button');
      await tab.keyboard.press(' ');
      await textOf(tab, '#comparison tbody tr:first-child td:nth-child(3)', /^\d+\.\d+ ms$/);
    }));
  });
}
