// Drives WebKitGTK with WebDriver, offering the part of puppeteer's interface that the tests use. A driver has only one session,
// so each page needs its own browser.
import {spawn, spawnSync} from 'node:child_process';
import {EventEmitter, once} from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const binary = fileURLToPath(new URL('webkit_browser.py', import.meta.url));
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';  // https://www.w3.org/TR/webdriver/#elements
const version = `
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2
print(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version(), sep=".")`;
const readVersion = () => spawnSync('/usr/bin/python3', ['-c', version], {encoding: 'utf8'}).stdout?.trim();

const isInstalled = (name) => process.env.PATH.split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, name)));

/** Returns the reason why WebKit cannot run; false if it can. */
export function whyNot() {
  const missing = ['WebKitWebDriver', 'Xvfb'].find((name) => !isInstalled(name));
  if (missing) return `${missing} is not installed (scripts/setup/setup.sh browsers)`;
  return readVersion() ? false : 'gir1.2-webkit2-4.1 is not installed (scripts/setup/setup.sh browsers)';
}

/** Starts a display for pages. `patience`: milliseconds that a browser or page may take to start. */
export async function launch(patience) {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe']});
  const [number] = await once(display.stdio[3], 'data');
  const pages = new Set();
  return {
    async newPage() {
      const page = new Page();
      pages.add(page);
      page.once('close', () => pages.delete(page));
      await page.start(`:${String(number).trim()}`, patience);
      return page;
    },
    version: () => `WebKitGTK ${readVersion()}`,
    async close() {
      await Promise.all([...pages].map((page) => page.close()));
      display.kill();
      await once(display, 'exit');
    },
  };
}

// Returns a free port. The driver cannot choose one itself.
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

// Sends a WebDriver command. Returns its value.
async function request(port, method, address, body) {
  const sent = http.request({port, host: '127.0.0.1', method, path: address, agent: false});
  sent.end(body && JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const {value} = JSON.parse((await response.toArray()).join(''));
  if (response.statusCode !== 200) throw new Error(`${method} ${address}: ${value.error}: ${value.message}`);
  return value;
}

class Page extends EventEmitter {
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webnn-webkit-'));
  #driver;
  #ended;
  #port;
  #session;
  // Kills the driver's process group, which contains the browser.
  #kill = () => process.kill(-this.#driver.pid);
  mouse = {
    move: (x, y) => this.#act({type: 'pointerMove', x: Math.round(x), y: Math.round(y)}),
    down: () => this.#act({type: 'pointerDown', button: 0}),
    up: () => this.#act({type: 'pointerUp', button: 0}),
  };

  async start(display, patience) {
    this.#port = await freePort();
    const quiet = {NO_AT_BRIDGE: '1', GSETTINGS_BACKEND: 'memory'};  // disable desktop services
    const env = {...process.env, ...quiet, DISPLAY: display, HOME: this.#folder, XDG_CACHE_HOME: this.#folder, XDG_DATA_HOME: this.#folder};
    this.#driver = spawn('WebKitWebDriver', [`--port=${this.#port}`], {env, detached: true, stdio: ['ignore', 'ignore', 'pipe']});
    this.#ended = once(this.#driver, 'close');  // also waits for the browser, which inherits standard error
    process.once('exit', this.#kill);
    this.#readConsole(this.#driver.stderr);
    await this.#answering();
    const wanted = {
      'webkitgtk:browserOptions': {binary, args: [this.#folder]}, 'timeouts': {script: 1_200_000, pageLoad: patience},
    };
    const {sessionId} = await request(this.#port, 'POST', '/session', {capabilities: {alwaysMatch: wanted}});
    this.#session = `/session/${sessionId}`;
  }

  async #answering() {
    while (this.#driver.exitCode === null) {
      try {
        return await request(this.#port, 'GET', '/status');
      } catch ({code}) {
        if (code !== 'ECONNREFUSED') throw new Error(`WebKitWebDriver: ${code}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    throw new Error(`WebKitWebDriver ended with status ${this.#driver.exitCode}.`);
  }

  // Parses console messages, which may have several lines: "http://.../x.js:1:12: CONSOLE JS ERROR text".
  async #readConsole(stream) {
    const text = (await stream.setEncoding('utf8').toArray()).join('');
    const start = /^(?:\S+:\d+:\d+: )?CONSOLE ((?:[A-Z]+ )*?)(LOG|INFO|WARN|ERROR|DEBUG) /m;
    const [, ...parts] = text.split(start);
    for (let i = 0; i < parts.length; i += 3) {
      const [source, level, said] = [parts[i].trim(), parts[i + 1].toLowerCase(), parts[i + 2].trimEnd()];
      if (source === 'JS') this.emit('pageerror', new Error(said));
      else this.emit('console', {type: () => level, text: () => said});
    }
  }

  #send(method, name, body) { return request(this.#port, method, `${this.#session}/${name}`, body); }

  #act(action) { return this.#send('POST', 'actions', {actions: [{type: 'pointer', id: 'mouse', parameters: {pointerType: 'mouse'}, actions: [action]}]}); }

  goto(url) { return this.#send('POST', 'url', {url}); }

  setDefaultTimeout() {}

  /** Calls a function in the page. Arguments and result pass as JSON. */
  async evaluate(call, ...given) {
    const script = `
      const done = arguments[1];
      (async () => (${call})(...JSON.parse(arguments[0])))().then(
        (value) => done(JSON.stringify({value})), (error) => done(JSON.stringify({error: String(error?.stack ?? error)})));`;
    const {value, error} = JSON.parse(await this.#send('POST', 'execute/async', {script, args: [JSON.stringify(given)]}));
    if (error) throw new Error(error);
    return value;
  }

  async $(selector) {
    const {[elementKey]: id} = await this.#send('POST', 'element', {using: 'css selector', value: selector});
    return {
      click: () => this.#send('POST', `element/${id}/click`, {}),
      uploadFile: (file) => this.#send('POST', `element/${id}/value`, {text: file}),
    };
  }

  async click(selector) { await (await this.$(selector)).click(); }

  /** Closes the page and its browser. Resolves after all console messages have been emitted. */
  async close() {
    if (this.#session) await request(this.#port, 'DELETE', this.#session).catch(() => {});  // the browser may close first
    process.off('exit', this.#kill);
    this.#kill();
    await this.#ended;
    fs.rmSync(this.#folder, {recursive: true, force: true, maxRetries: 5});
    this.emit('close');
  }
}
