'use strict';
// The dictionaries and enumerations of the specification that are not of the operation table.
const idl = require('./idl.js');

const powerPreference = idl.enumeration('MLPowerPreference', ['default', 'high-performance', 'low-power']);

// `backend` and `threads` go beyond the specification: the name of the backend, strictly, and how many threads a graph may use.
const contextOptions = idl.dictionary([
  {name: 'accelerated', type: idl.boolean, fallback: true},
  {name: 'backend', type: idl.usvString, fallback: ''},
  {name: 'powerPreference', type: powerPreference, fallback: 'default'},
  {name: 'threads', type: idl.enforcedUnsignedLong, fallback: 0},
]);

// Those of the specification, and two that go beyond.
const dataType = idl.enumeration(
  'MLOperandDataType', ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4']);

const descriptorMembers = [
  {name: 'dataType', type: dataType, required: true},
  {name: 'shape', type: idl.sequence(idl.enforcedUnsignedLong), required: true},
];
const operandDescriptor = idl.dictionary(descriptorMembers);
const tensorDescriptor = idl.dictionary(
  [{name: 'readable', type: idl.boolean, fallback: false}, {name: 'writable', type: idl.boolean, fallback: false}],
  descriptorMembers);

module.exports = {contextOptions, dataType, operandDescriptor, tensorDescriptor};
