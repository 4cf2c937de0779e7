// Prints the inputs and outputs of models.
import {InferenceSession} from 'onnxruntime-node';

for (const name of ['affine', 'types', 'image', 'lstm', 'classifier', 'scalar', 'nonzero']) {
  const session = await InferenceSession.create(`${process.argv[2]}/${name}.onnx`);
  console.log(name, JSON.stringify([session.inputMetadata, session.outputMetadata]));
}
