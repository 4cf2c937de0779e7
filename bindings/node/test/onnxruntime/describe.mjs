// Prints the names of the API of onnxruntime-node as JSON.
import * as ort from 'onnxruntime-node';

const members = ort.listSupportedBackends().map(({name}) => `backend ${name}`);
function describe(what, object) {
  for (const key of Reflect.ownKeys(object)) {
    if (['length', 'name', 'arguments', 'caller'].includes(key)) continue;
    const {value, get, set} = Object.getOwnPropertyDescriptor(object, key), name = `${what}.${String(key)}`;
    const kind = get ? `get${set ? ' and set' : ''}` : typeof value;
    members.push(`${name}: ${kind}${typeof value === 'function' && key !== 'constructor' ? ` of ${value.length}` : ''}`);
  }
}
describe('module', ort);
describe('default', ort.default);
describe('env', ort.env);
describe('versions', ort.env.versions);
for (const name of ['InferenceSession', 'Tensor']) {
  describe(name, ort[name]);
  describe(`${name}.prototype`, ort[name].prototype);
}
console.log(JSON.stringify({members: members.map((member) => member.replace(/^(module|default)\.(.*): (get|function.*|object)$/, '$1.$2'))}));
