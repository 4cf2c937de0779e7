// Tests the search of the site in Chromium, with the packages of bindings/web; see scripts/tests/test_site.sh. usage: node --test
// search_test.mjs
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import path from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(path.join(root, 'bindings/web/package.json'));
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;
const puppeteer = await load('puppeteer-core'), chromium = await load('@sparticuz/chromium');
const browser = await puppeteer.launch({
  executablePath: await chromium.executablePath(), headless: 'shell', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
after(() => browser.close());

// Returns the titles of the first two search results for a text that is pasted.
async function foundBy(text) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(pathToFileURL(path.join(root, 'build/site/index.html')).href);
  await page.focus('[data-md-component=search-query]');
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
  }, text);
  await page.waitForSelector('.md-search-result__item h1');
  const titles = await page.$$eval('.md-search-result__item h1', (headings) => headings.slice(0, 2).map((heading) => heading.textContent.trim()));
  await page.close();
  return titles;
}

for (const message of [
  'webnn: the file "nosuch.onnx" cannot be opened (No such file or directory).',
  'webnn: digits.webnn: line 4, column 5: constant "conv1_weight": there is no weights file for the key "conv1.weight".',
  'compute: Missing input: "x".',
]) {
  test(`finds the cause of ${message}`, async () => {
    const titles = await foundBy(message);
    assert.ok(titles.some((title) => title.startsWith('Troubleshooting')), `${titles}`);
  });
}
