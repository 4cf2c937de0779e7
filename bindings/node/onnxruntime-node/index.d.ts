// The types are those of onnxruntime-common, as for onnxruntime-node.
export * from 'onnxruntime-common';

/** Returns the execution providers that sessions can use. */
export declare const listSupportedBackends: () => {name: string; bundled: boolean}[];
