'use strict'
// The bench speaks with the product's own Node packages: the library version under test.
const path = require('node:path')

module.exports = require(path.join(__dirname, '..', '..', '..', 'bridge', 'host', 'packages.cjs'))
