'use strict'
// What was recorded of a vanilla server (recorded/README.md), byte for byte or read.
const fs = require('node:fs')
const path = require('node:path')
const { load } = require('./packages.cjs')

/** The bytes of each packet of a name, in the order they came; none where none was recorded. */
function bytes (folder, version, name) {
  const at = path.join(folder, version, name)
  if (!fs.existsSync(at)) return []
  return fs.readdirSync(at).sort().map(file => fs.readFileSync(path.join(at, file)))
}

/** The same, read. */
function packets (folder, version, name) {
  const reader = load('minecraft-protocol').createDeserializer({ state: 'play', isServer: false, version })
  return bytes(folder, version, name).map(raw => reader.parsePacketBuffer(raw).data.params)
}

module.exports = { bytes, packets }
