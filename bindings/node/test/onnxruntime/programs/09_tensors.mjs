// Constructs, reshapes, reads and disposes of tensors.
import {Tensor} from 'onnxruntime-node';

const made = [['float32', [1, 2, 3, 4], [2, 2]], [Float32Array.from([1, 2]), [2]], ['int64', [1, 2], [2]], ['bool', [true, false], [2]], [[true, false]], [['a', 'b'], [1, 2]],
              ['uint8', new Uint8ClampedArray([1, 2]), [2]], [BigInt64Array.from([5n]), []], ['float32', [7], []], ['float32', [], [0, 3]], ['int32', [1.7], [1]]];
for (const arguments_ of made) {
  const tensor = new Tensor(...arguments_);
  console.log(tensor.type, tensor.dims, tensor.size, tensor.data, tensor.location);
}
const wrong = [['float33', [1]], ['float32', [1, 2], [3]], ['float32', [1], [-1]], ['float32', [1], 'x'], ['int32', new Float32Array(1), [1]], ['string', [1], [1]], [{}], [], ['float32', ['a'], [1]],
               ['float32', [1], [1.5]], [[1, 2]]];
for (const arguments_ of wrong) {
  try {
    console.log(new Tensor(...arguments_).data);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
const tensor = new Tensor('float32', [1, 2, 3, 4, 5, 6], [2, 3]), reshaped = tensor.reshape([3, 2]);
console.log(reshaped.dims, reshaped.data === tensor.data, await tensor.getData());
tensor.dispose();
console.log(tensor.location);
try { tensor.data; } catch (error) { console.log(error.message); }
await reshaped.getData(true);
console.log(reshaped.location);
