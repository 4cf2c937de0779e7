// Runs the script that the page's parameters name; see ../support/run.mjs. In a window, `finished` is a promise of {value} or
// {error}.
const parameters = Object.fromEntries(new URLSearchParams(location.search));
const isWindow = typeof document === 'object';

function inWorker() {
  return new Promise((resolve) => {
    const worker = globalThis.pageWorker = new Worker(`/test/pages/run.js${location.search}`, {type: 'module', name: parameters.workerName});
    worker.onmessage = ({data}) => resolve(data);
    worker.onerror = ({message}) => resolve({error: `the worker: ${message}`});
  });
}

async function here() {
  try {
    const webnn = await import(parameters.package ?? '/dist/webnn.js');
    if (parameters.worker !== undefined) webnn.configure({worker: parameters.worker === 'true'});
    const {default: main} = await import(parameters.script);
    return {value: await main(webnn, parameters)};
  } catch (error) {
    return {error: `${error?.name}: ${error?.message}\n${error?.stack}`};
  }
}

if (!isWindow) {
  postMessage(await here());
} else {
  globalThis.finished = parameters.scope === 'worker' ? inWorker() : here();
}
