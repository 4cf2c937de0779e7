// Tests the page of `webnn view` in Chromium, with the packages of bindings/web. The environment variable WEBNN_TOOL is the path
// of the tool. See scripts/tests/test_view.sh.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

const tool = process.env.WEBNN_TOOL;
const root = fileURLToPath(new URL('../..', import.meta.url));
const digits = path.join(root, 'examples/digits/digits.webnn');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-view-'));
const patience = 300_000;

const {puppeteer, chromium} = await packages();
const browser = await puppeteer.launch({
  executablePath: await chromium.executablePath(), headless: 'shell', timeout: patience, protocolTimeout: patience,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
after(async () => {
  await browser.close();
  fs.rmSync(folder, {recursive: true});
});

async function packages() {
  const require = createRequire(path.join(root, 'bindings/web/package.json'));
  const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;
  return {puppeteer: await load('puppeteer-core'), chromium: await load('@sparticuz/chromium')};
}

function webnn(...given) {
  const {status, stderr, stdout} = spawnSync(tool, given, {encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  return stdout;
}
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

// Opens the page of a model with this window size, and waits until it is ready. `heard` collects errors, dialogs and requests,
// and must remain empty.
async function open(model, {width = 1400, height = 900, scheme = 'light', options = []} = {}) {
  const file = path.join(folder, 'page.html');
  webnn('view', model, '-o', file, ...options);
  return openPage(file, width, height, scheme);
}
async function openPage(file, width, height, scheme) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.heard = [];
  page.on('console', (message) => {
    const isAboutTheTest = message.text().startsWith('Canvas2D: Multiple readback');
    if (!isAboutTheTest) page.heard.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => page.heard.push(`uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    page.heard.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.heard.push(`request: ${request.url()}`);
  });
  await page.setViewport({width, height});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('body[data-ready]');
  return page;
}
const textOf = (page, selector) => page.$eval(selector, (found) => found.textContent);
const search = async (page, text) => {
  await page.focus('#search');
  await page.$eval('#search', (input) => {
    input.value = '';
  });
  await page.keyboard.type(text);
};
// Returns how many pixels of the first visible canvas have this color.
const pixels = (page, colour) => page.evaluate(async (wanted) => {
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  const canvas = [...document.querySelectorAll('.drawing canvas')].find((each) => each.clientWidth > 0);
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (wanted.every((value, channel) => data[i + channel] === value)) ++count;
  return count;
}, colour);
const product = [0x25, 0x63, 0xeb];  // the color of convolutions

test('draws the graph, and shows what is found in the panel', async () => {
  const page = await open(digits);
  assert.ok(await pixels(page, product) > 1000);
  await search(page, 'maxpool p2');
  assert.deepEqual(await page.$$eval('#results button', (found) => found.map((each) => each.firstChild.textContent)), ['maxPool2d']);
  await page.keyboard.press('Enter');
  assert.equal(await textOf(page, '#panel h2'), 'maxPool2d');
  assert.match(await textOf(page, '#panel'), /windowDimensions\[2,2\].*float32 1×32×7×7/s);
  assert.deepEqual(page.heard, []);
  await page.close();
});

test('shows constants with histogram and picture', async () => {
  const page = await open(digits);
  await search(page, 'gemm');
  await page.keyboard.press('Enter');
  assert.match(await textOf(page, '#panel'), /float32 1568×10, 62.7 KB/);
  const colours = await page.$eval('#panel canvas.pixels', (canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return {size: [canvas.width, canvas.height], different: new Set(new Uint32Array(data.buffer)).size};
  });
  assert.deepEqual(colours.size, [10, 48]);
  assert.ok(colours.different > 20);
  await page.close();
});

test('goes by keys from box to box, and from an operation to its step', async () => {
  const page = await open(digits);
  await page.focus('[data-drawing=graph] canvas');
  const visited = [];
  for (let i = 0; i < 4; ++i) {
    await page.keyboard.press('ArrowDown');
    visited.push(await textOf(page, '#panel h2'));
  }
  assert.deepEqual(visited, ['image', 'conv2d', 'relu', 'maxPool2d']);
  await page.keyboard.press('ArrowUp');
  assert.equal(await textOf(page, '#live'), 'relu r1');
  await page.keyboard.press('b');
  await page.waitForSelector('[data-drawing=compiled]:not([hidden])');
  await page.evaluate(() => [...document.querySelectorAll('#panel .link')].find((link) => /^0: /.test(link.textContent)).click());
  assert.match(await textOf(page, '#panel'), /step 0 of 7.*Doesconv2d c1relu r1/s);
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('#panel', (panel) => panel.hidden), true);
  assert.deepEqual(page.heard, []);
  await page.close();
});

test('says what has become of an operation where steps are not told', async () => {
  for (const options of [['--backend', 'reference'], ...(process.platform === 'linux' ? [['--service']] : [])]) {
    const page = await open(digits, {options});
    assert.equal(await page.$eval('#views', (views) => views.hidden), true);
    await search(page, 'conv2d c1');
    await page.keyboard.press('Enter');
    assert.match(await textOf(page, '#panel'), options[0] === '--service' ? /What runs.*convolution/s : /What runs.*reference/s);
    assert.deepEqual(page.heard, []);
    await page.close();
  }
});

test('colours by times and by differences', async () => {
  webnn('bench', digits, '--runs', '1', '--no-memory', '--quiet', '--trace', path.join(folder, 't.json'));
  webnn('diff', digits, '--backends', 'reference,cpu', '--all', '--quiet', '--json', path.join(folder, 'd.json'));
  const page = await open(digits, {options: ['--trace', path.join(folder, 't.json'), '--diff', path.join(folder, 'd.json')]});
  assert.match(await textOf(page, '#legend'), /^Time: .* in 7 steps/);
  assert.equal(await pixels(page, product), 0);
  await page.select('#heat', '1');
  assert.match(await textOf(page, '#legend'), /^cpu against reference, relative/);
  await page.select('#heat', '');
  assert.ok(await pixels(page, product) > 1000);
  await page.close();
});

test('takes the theme of the system, and the other one when asked', async () => {
  const page = await open(digits, {scheme: 'dark'});
  assert.ok(await pixels(page, [0x0d, 0x11, 0x17]) > 100_000);
  await page.click('#menu summary');
  await page.click('#theme');
  assert.ok(await pixels(page, [0xf6, 0xf8, 0xfa]) > 100_000);
  await page.close();
});

test('fits 360 pixels', async () => {
  const page = await open(digits, {width: 360, height: 740});
  const outside = () => page.evaluate(() => [...document.querySelectorAll('body *')].filter((each) => {
    const {left, right, width} = each.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1) && !each.closest('.unseen, details > div, [hidden]');
  }).map((each) => each.outerHTML.slice(0, 80)));
  assert.deepEqual(await outside(), []);
  await search(page, 'gemm');
  await page.keyboard.press('Enter');
  await page.click('input[value=both] + span');
  assert.deepEqual(await outside(), []);
  for (const name of ['graph', 'compiled']) {
    assert.ok(await page.$eval(`[data-drawing=${name}] canvas`, (canvas) => canvas.clientHeight) > 100);
  }
  await page.close();
});

// Returns the downloaded file: {name, text} or {name, bytes}.
async function exported(page, kind) {
  await page.evaluate(() => {
    globalThis.saved = new Promise((resolve) => {
      HTMLAnchorElement.prototype.click = async function click() {
        const blob = await new Promise((loaded) => {
          globalThis.blobs.get(this.href).arrayBuffer().then((bytes) => loaded(new Uint8Array(bytes)));
        });
        resolve({name: this.download, bytes: [...blob]});
      };
    });
    globalThis.blobs = new Map();
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      const url = make.call(URL, blob);
      globalThis.blobs.set(url, blob);
      return url;
    };
  });
  await page.$eval(`[data-export=${kind}]`, (button) => button.click());
  const {name, bytes} = await page.evaluate(() => globalThis.saved);
  return {name, bytes: Buffer.from(bytes)};
}

test('exports SVG and PNG of all of the drawing', async () => {
  const page = await open(digits);
  const svg = await exported(page, 'svg');
  assert.equal(svg.name, 'digits.webnn-graph.svg');
  const found = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {error: parsed.querySelector('parsererror')?.textContent, texts: [...parsed.querySelectorAll('text')].map((each) => each.textContent)};
  }, svg.bytes.toString());
  assert.equal(found.error, undefined);
  for (const name of ['image', 'conv2d', 'c1', 'softmax', 'probabilities', '1×16×28×28']) assert.ok(found.texts.includes(name), name);
  const png = await exported(page, 'png');
  assert.equal(png.name, 'digits.webnn-graph.png');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  const size = svg.bytes.toString().match(/width="(\d+)" height="(\d+)"/).slice(1).map(Number);
  assert.deepEqual([png.bytes.readUInt32BE(16) / 2, png.bytes.readUInt32BE(20) / 2].map((value, i) => Math.abs(value - size[i]) <= 1), [true, true]);
  assert.deepEqual(page.heard, []);
  await page.close();
});

test('names of a hostile model run nothing', async () => {
  const names = ['</script><script>window.owned=1</script>', '<img src=x onerror="window.owned=1">', 'a\u2028window.owned=1//', 'javascript:window.owned=1', '"><svg onload=window.owned=1>', '@DATA@', '\u202Eevil', ']]><script>window.owned=1</script>'];
  const nodes = names.map((name, i) => ({id: `n${i}`, op: 'relu', inputs: [i === 0 ? names[1] : `n${i - 1}`], options: {label: name}, outputs: [`n${i}`]}));
  const graph = {
    format: 'webnn-graph-json', version: 1, name: names[0], inputs: {[names[1]]: {dataType: 'float32', shape: [2]}}, consts: {}, nodes,
    outputs: {[names[3]]: `n${names.length - 1}`},
  };
  const page = await open(write('hostile.json', JSON.stringify(graph)));
  await page.evaluate(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(event.violatedDirective));
  });
  for (const view of ['graph', 'compiled', 'both']) {
    await page.click(`input[value=${view}] + span`);
    await search(page, 'relu');
    await page.keyboard.press('Enter');
    await page.click('#title');
  }
  await page.click('input[value=graph] + span');
  await page.focus('[data-drawing=graph] canvas');
  const labels = [];
  for (let i = 0; i <= names.length; ++i) {
    await page.keyboard.press('ArrowDown');
    labels.push(await page.$eval('#panel', (panel) => (panel.querySelector('section p') ?? panel.querySelector('h2')).textContent));
  }
  assert.deepEqual(labels, [names[1], ...names]);
  const svg = (await exported(page, 'svg')).bytes.toString();
  const elements = await page.evaluate((text) => [...new Set([...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('*')].map((each) => each.localName))], svg);
  assert.deepEqual(elements.sort(), ['defs', 'g', 'marker', 'path', 'rect', 'svg', 'text', 'title']);
  assert.equal(await page.evaluate(() => globalThis.owned), undefined);
  assert.equal(await page.$$eval('script', (scripts) => scripts.length), 2);
  assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
  assert.deepEqual(page.heard, []);
  await page.close();
});

test('boxes stay small, whatever leads to them', async () => {
  const numbers = [...Array(200).keys()];
  const page = await open(write('dense.webnn', `webnn_graph "dense" v1 { inputs { ${numbers.map((i) => `x${i}: f32[1];`).join(' ')} } nodes {
    ${numbers.slice(0, 12).map((i) => `c${i} = concat([${numbers.map((j) => `x${j}`).join(', ')}], axis=0);`).join('\n')}
  } outputs { ${numbers.slice(0, 12).map((i) => `c${i};`).join(' ')} } }`), {options: ['--graph-only']});
  const svg = (await exported(page, 'svg')).bytes.toString();
  const heights = [...svg.matchAll(/<rect x=[^>]* height="(\d+)"/g)].map((match) => Number(match[1]));
  assert.equal(heights.length, 224);
  assert.ok(Math.max(...heights) < 400, `${Math.max(...heights)}`);
  assert.deepEqual(page.heard, []);
  await page.close();
});

test('a long name of a backend stays on the page', async () => {
  const operands = [{name: 'c1', ulp: 1, absolute: 0.1, relative: 0.1, agrees: true}];
  const diff = write('long.json', JSON.stringify({trusted: 't'.repeat(5000), comparisons: [{backend: 'b'.repeat(5000), operands}]}));
  const page = await open(digits, {options: ['--diff', diff]});
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  assert.ok((await textOf(page, '#legend')).length < 200);
  await page.close();
});

test('the policy lets no other script run', async () => {
  const page = await open(digits);
  const refused = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
    const script = document.createElement('script');
    script.textContent = 'window.owned = 1';
    document.body.append(script);
  }));
  assert.equal(refused, 'script-src-elem');
  assert.equal(await page.evaluate(() => globalThis.owned), undefined);
  await page.close();
});

test('shows itself in a frame that has no origin, as in notebooks', async () => {
  webnn('view', digits, '-o', path.join(folder, 'inner.html'));
  const escaped = fs.readFileSync(path.join(folder, 'inner.html'), 'utf8').replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  const outer = write('outer.html', `<!doctype html><meta charset="utf-8"><iframe sandbox="allow-scripts" width="800" height="500" srcdoc="${escaped}"></iframe>`);
  const page = await browser.newPage();
  await page.goto(pathToFileURL(outer).href);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForSelector('body[data-ready]', {timeout: patience});
  assert.equal(await frame.$eval('#title', (title) => title.textContent), 'digits.webnn');
  await page.close();
});

// Returns a chain of blocks of four operations. The last operation of every tenth block reads the input m.
function largeGraph(count) {
  const lines = [];
  let last = 'x';
  for (let i = 0; i < count; i += 4) {
    lines.push(`a${i} = sigmoid(${last});`, `b${i} = tanh(a${i});`, `c${i} = mul(b${i}, ${last});`, `d${i} = add(c${i}, ${i % 40 === 0 ? 'm' : `a${i}`});`);
    last = `d${i}`;
  }
  return `webnn_graph "large" v1 { inputs { x: f32[1, 8]; m: f32[1, 8]; } nodes {\n${lines.join('\n')}\n} outputs { ${last}; } }`;
}

test('draws 10,000 operations, and each of them is found where it is', async () => {
  const page = await open(write('large.webnn', largeGraph(10_000)), {options: ['--graph-only']});
  await page.click('[data-zoom=fit]');
  const empty = await pixels(page, [0xf6, 0xf8, 0xfa]), all = await page.$eval('canvas', (canvas) => canvas.width * canvas.height);
  assert.ok(empty < all - 500, `${all - empty} pixels are drawn`);
  await search(page, 'd9996');
  await page.keyboard.press('Enter');
  assert.match(await textOf(page, '#panel'), /^add.*d9996/s);
  assert.ok(await pixels(page, [0x09, 0x69, 0xda]) > 100);  // the frame of the selected node
  assert.deepEqual(page.heard, []);
  await page.close();
});
