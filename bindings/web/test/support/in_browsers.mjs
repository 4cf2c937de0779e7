import {after, before, describe} from 'node:test';

import {browsers, launch} from './browsers.mjs';
import {runnerPage, runScript} from './run.mjs';
import {serve} from './server.mjs';

/**
 * Declares tests of a script in test/pages/ for each browser.
 * @param {string} script the URL of the script
 * @param {(its: object) => void} declare declares a browser's tests. `its` is {name, run}; run(parameters) calls runScript() in
 * an isolated page. Inside tests, `its` also has {browser, server}.
 */
export function inBrowsers(script, declare) {
  for (const {name, skip} of browsers) {
    describe(name, {skip}, () => {
      const its = {name, run: (parameters) => runScript(its.browser, its.server.origin, script, parameters)};
      before(async () => [its.browser, its.server] = await Promise.all([launch(name), serve({pages: runnerPage, isolated: true})]));
      after(async () => {
        await its.browser?.close();
        its.server?.close();
      });
      declare(its);
    });
  }
}
