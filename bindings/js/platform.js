'use strict';
// The native part of this layer. A package sets `platform.native` before it loads any other module of this layer.
const platform = {native: undefined};

module.exports = {platform};
