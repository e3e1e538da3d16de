'use strict'
// Two things that packages do for each bot at each tick or packet, without their cost. To be
// loaded before them.

const { load } = require('./packages.cjs')

// expected: asking for the data of a version again costs nothing. actual: minecraft-data finds out
// anew which version a name means, 54 µs, and prismarine-physics asks at each tick of each bot.
// remove when: it remembers names.
function rememberVersions () {
  const file = load.resolve('minecraft-data')
  const find = load(file)
  const known = new Map()
  const recall = (version, preNetty) => {
    if (preNetty || typeof version !== 'string') return find(version, preNetty)
    if (!known.has(version)) known.set(version, find(version))
    return known.get(version)
  }
  load.cache[file].exports = Object.assign(recall, find)
}

// expected: the end of what was received is no error. actual: protodef tells its reader so by an
// error with a stack, taken down for each piece that a socket brings; nobody reads it.
// remove when: its PartialReadError takes down no stack.
function readWithoutStacks () {
  const utils = load('protodef/src/utils')
  function PartialReadError (message) {
    this.message = message
    this.partialReadError = true
  }
  PartialReadError.prototype = Object.create(Error.prototype, {
    constructor: { value: PartialReadError },
    name: { value: 'PartialReadError' }
  })
  utils.PartialReadError = PartialReadError
}

rememberVersions()
readWithoutStacks()
