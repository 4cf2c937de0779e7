// A service worker that calls createContext() and posts the outcome to the page.
import {ml, configure} from '/dist/webnn.js';

addEventListener('message', async ({data, ports: [port]}) => {
  if (data === 'without') configure({worker: false});
  port.postMessage(await ml.createContext().then(() => 'a context', ({name, message}) => `${name}: ${message}`));
});
