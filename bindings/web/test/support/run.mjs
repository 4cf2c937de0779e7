
/**
 * Calls the default export of a script in test/pages/ with the package and the parameters: in a page, or in a worker of the page
 * (`scope: 'worker'`). With `worker: false`, the package uses no worker of its own.
 * @returns {Promise<{value: any, console: string[]}>} the result, and the lines of the console, with uncaught errors
 */
export async function runScript(browser, origin, script, parameters = {}) {
  const page = await browser.newPage();
  try {
    const lines = listen(page);
    await page.goto(`${origin}/page?${new URLSearchParams({script, ...parameters})}`);
    const {value, error} = await outcomeOf(page);
    if (error) throw new Error(`${script}: ${error}`);
    return {value, console: lines};
  } finally {
    await page.close();
  }
}

/**
 * Returns {value} or {error} of the page `runnerPage`. Polls, because WebKit's driver may report a page as loaded before its
 * module has run.
 */
export function outcomeOf(page) {
  return page.evaluate(async () => {
    for (let looks = 0; !globalThis.finished && looks < 3000; ++looks) await new Promise((resolve) => setTimeout(resolve, 10));
    return globalThis.finished ?? {error: 'the page has run no script'};
  });
}

/** Returns an array that collects the lines of a page's console. */
export function listen(page) {
  const lines = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.message ?? error}`));
  return lines;
}

/** Handler for serve(): returns the page that runScript() opens. */
export const runnerPage = ({pathname}) => (pathname === '/page'
  ? {type: 'text/html; charset=utf-8', body: '<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="module" src="/test/pages/run.js"></script>'}
  : undefined);
