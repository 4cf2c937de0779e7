// Imports names, the namespace and the default export.
import ort, {InferenceSession, Tensor, env, listSupportedBackends, registerBackend} from 'onnxruntime-node';
import * as all from 'onnxruntime-node';

const session = await InferenceSession.create(`${process.argv[2]}/affine.onnx`);
const {y} = await session.run({x: new Tensor('float32', [1, 2, 3], [1, 3])});
console.log(y instanceof Tensor, y instanceof ort.Tensor, all.Tensor === Tensor, Array.from(y.data, (v) => v.toFixed(5)));
console.log(session instanceof InferenceSession, typeof registerBackend, typeof env.versions.node, env.versions.common);
console.log(listSupportedBackends().some(({name, bundled}) => name === 'cpu' && bundled), Object.keys(all).sort().join());
