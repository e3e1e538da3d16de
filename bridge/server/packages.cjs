'use strict'
// Where the Node packages come from: the folder named by TOWNSFOLK_NODE_DIR, which holds
// package.json and node_modules. This code itself lies elsewhere, so plain require cannot find them.

const { createRequire } = require('node:module')
const path = require('node:path')

const folder = process.env.TOWNSFOLK_NODE_DIR
if (!folder) throw new Error('TOWNSFOLK_NODE_DIR must name the folder that holds node_modules')

module.exports = { load: createRequire(path.join(folder, 'package.json')) }
