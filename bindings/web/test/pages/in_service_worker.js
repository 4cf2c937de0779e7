// Calls createContext() in a service worker, with and without the package's worker. Returns the results.
export default async function run() {
  const registration = await navigator.serviceWorker.register('/test/pages/service_worker.js', {type: 'module'});
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  const ask = (what) => new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = ({data}) => resolve(data);
    worker.postMessage(what, [port2]);
  });
  const answers = [await ask('with'), await ask('without')];
  await registration.unregister();
  return answers;
}
