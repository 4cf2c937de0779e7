'use strict';
// The native part of these modules: an addon or WebAssembly. A package sets `platform.native` before it loads any other module of
// bindings/js.
const platform = {native: undefined};

module.exports = {platform};
