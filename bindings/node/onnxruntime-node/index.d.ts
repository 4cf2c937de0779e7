// Exports the types of onnxruntime-common, as onnxruntime-node does.
export * from 'onnxruntime-common';

/** Returns the execution providers that sessions can use. */
export declare const listSupportedBackends: () => {name: string; bundled: boolean}[];
