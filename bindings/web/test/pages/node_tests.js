// Runs the tests of the Node.js package. Returns [{name, error?, skip?}].

// Stands in for setImmediate in the tests.
const channel = new MessageChannel(), tasks = [];
channel.port1.onmessage = () => tasks.shift()();
globalThis.nextTask = (task) => {
  tasks.push(task);
  channel.port2.postMessage(null);
};

async function fetchFiles() {
  const names = await (await fetch('/vectors/')).json();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [`/vectors/${name}`, await (await fetch(`/vectors/${name}`)).text()])));
}

export default async function run(webnn, {leftOut = '[]'}) {
  const {configure, ...others} = webnn;
  globalThis.webnnUnderTest = others;
  globalThis.nodeFiles = await fetchFiles();
  await import('/node_tests.js');
  const results = [], reasons = new Map(JSON.parse(leftOut));
  for (const {name, run: test, skip} of globalThis.nodeTests) {
    const result = {name};
    results.push(result);
    if (skip || reasons.has(name)) {
      result.skip = reasons.get(name) ?? skip;
      continue;
    }
    const start = performance.now();
    try {
      await test();
    } catch (error) {
      result.error = `${error?.name}: ${error?.message}`;
    }
    result.milliseconds = Math.round(performance.now() - start);
  }
  return results;
}
