'use strict';
// Conversions to the dictionaries and enumerations of the specification that the operation table does not contain.
const idl = require('./idl.js');
const {native} = require('./native.js');

const powerPreference = idl.enumeration('MLPowerPreference', ['default', 'high-performance', 'low-power']);

// The members of webnn::Limits. maxTime is in milliseconds.
const limits = idl.dictionary([
  {name: 'maxCompileWork', type: idl.enforcedUnsignedLongLong},
  {name: 'maxElements', type: idl.enforcedUnsignedLongLong},
  {name: 'maxMemory', type: idl.enforcedUnsignedLongLong},
  {name: 'maxOperations', type: idl.enforcedUnsignedLongLong},
  {name: 'maxTime', type: idl.double},
]);

// `backend`, `backendOptions`, `limits`, `service`, `serviceToken` and `threads` are extensions; see MLContextOptions in
// webnn.d.ts.
const contextOptions = idl.dictionary([
  {name: 'accelerated', type: idl.boolean, fallback: true},
  {name: 'backend', type: idl.usvString, fallback: ''},
  {name: 'backendOptions', type: idl.record(idl.usvString), fallback: new Map()},
  {name: 'limits', type: limits},
  {name: 'powerPreference', type: powerPreference, fallback: 'default'},
  {name: 'service', type: idl.usvString, fallback: ''},
  {name: 'serviceToken', type: idl.usvString, fallback: ''},
  {name: 'threads', type: idl.enforcedUnsignedLong, fallback: 0},
]);

// Options of a single call, an extension.
const callOptions = idl.dictionary([{
  name: 'signal',
  type: idl.interfaceType('AbortSignal', (value) => (value instanceof AbortSignal ? value : undefined)),
}]);

// int4 and uint4 are extensions.
const dataType = idl.enumeration(
  'MLOperandDataType', ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4']);

const descriptorMembers = [
  {name: 'dataType', type: dataType, required: true},
  {name: 'shape', type: idl.sequence(idl.enforcedUnsignedLong), required: true},
];
const operandDescriptor = idl.dictionary(descriptorMembers);

// Open dimensions, an extension that the web package lacks. Text that JavaScript can convert to a number is a number, as in
// WebIDL.
const hasOpenSizes = native.openInput !== undefined;
const isExpression = (value) => hasOpenSizes && typeof value === 'string' && Number.isNaN(Number(value));
const openSize = (value, what) => (isExpression(value) ? value.toWellFormed() : idl.enforcedUnsignedLong(value, what));
const wrappingOpenSize = (value, what) => (isExpression(value) ? openSize(value, what) : idl.unsignedLong(value));
const openDimension = idl.dictionary([
  {name: 'maxSize', type: idl.enforcedUnsignedLong, fallback: 2 ** 31 - 1},
  {name: 'minSize', type: idl.enforcedUnsignedLong, fallback: 0},
  {name: 'name', type: idl.usvString, required: true},
]);
const isOpenDimension = (value) => hasOpenSizes && idl.isObject(value) && value.name !== undefined;
const inputSize = (value, what) => (isOpenDimension(value) ? openDimension(value, what) : openSize(value, what));
// The descriptor of an input. Its shape may contain expressions and open dimensions {name, minSize, maxSize}.
const inputDescriptor = idl.dictionary([
  {name: 'dataType', type: dataType, required: true},
  {name: 'shape', type: idl.sequence(inputSize), required: true},
]);
const tensorDescriptor = idl.dictionary(
  [{name: 'readable', type: idl.boolean, fallback: false}, {name: 'writable', type: idl.boolean, fallback: false}],
  descriptorMembers);

module.exports = {callOptions, contextOptions, dataType, inputDescriptor, openSize, operandDescriptor, tensorDescriptor, wrappingOpenSize};
