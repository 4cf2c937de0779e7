// The browsers to test: Chromium from the npm package @sparticuz/chromium; Firefox from WEBNN_FIREFOX, else the system's
// (Debian's firefox-esr); and the system's WebKit. WEBNN_BROWSERS=chromium selects one browser.
import fs from 'node:fs';
import path from 'node:path';

import * as webkit from './webkit.mjs';

// Milliseconds that a browser or page may take to start on a busy machine.
const patience = 300_000;

const known = ['chromium', 'firefox', 'webkit'];
const isBuilt = fs.existsSync(new URL('../../dist/webnn.js', import.meta.url));

function firefox() {
  if (process.env.WEBNN_FIREFOX) return process.env.WEBNN_FIREFOX;
  const files = process.env.PATH.split(path.delimiter).flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => path.join(folder, name)));
  return files.find((file) => fs.existsSync(file));
}

async function tools() {
  try {
    const [{default: puppeteer}, {default: chromium}] = await Promise.all([import('puppeteer-core'), import('@sparticuz/chromium')]);
    return {puppeteer, chromium};
  } catch {
    return undefined;
  }
}
const found = await tools();

function reasonOf(name) {
  if (!isBuilt) return 'the package is not built (see docs/guides/web.md)';
  if (!found) return 'puppeteer-core and @sparticuz/chromium are not installed (npm ci)';
  if (name === 'webkit') return webkit.whyNot();
  return name === 'firefox' && !firefox() ? 'there is no Firefox (scripts/setup/setup.sh browsers)' : false;
}

/** The browsers to test: {name, skip}; `skip` is false or the reason to skip the browser. */
export const browsers = (process.env.WEBNN_BROWSERS?.split(',') ?? known).map((name) => {
  if (!known.includes(name)) throw new Error(`WEBNN_BROWSERS: ${name} is none of ${known.join(', ')}.`);
  return {name, skip: reasonOf(name)};
});

// Gives Firefox a fake microphone and denies pages the use of it.
const firefoxPreferences = {'dom.testing.testutils.enabled': true, 'media.navigator.streams.fake': true, 'permissions.default.microphone': 2};

/** Starts a browser. Its pages have gc() or, in Firefox, TestUtils.gc(); WebKit has neither. */
export async function launch(name) {
  if (name === 'webkit') return webkit.launch(patience);
  const {puppeteer, chromium} = found;
  const options = name === 'firefox'
    ? {browser: 'firefox', executablePath: firefox(), extraPrefsFirefox: firefoxPreferences}
    : {executablePath: await chromium.executablePath(), headless: 'shell',
       args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--js-flags=--expose-gc']};
  const browser = await puppeteer.launch({headless: true, timeout: patience, protocolTimeout: 1_200_000, ...options});
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await newPage();
    page.setDefaultTimeout(patience);
    return page;
  };
  return browser;
}
