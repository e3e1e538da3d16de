'use strict'
// What each kind of furnace makes of what.

const kinds = require('./kinds.cjs')
const { cooksTo } = require('../vanilla/furnace.cjs')

const GROUPS = new Map([
  [kinds.furnace, ['ores', 'food', 'rest']],
  [kinds.blast_furnace, ['ores']],
  [kinds.smoker, ['food']]
])
const TWICE_AS_FAST = new Set([kinds.blast_furnace, kinds.smoker])

module.exports = {
  /** The item one piece becomes in this kind of furnace, or null. */
  yieldOf: (kind, name) => cooksTo(name, GROUPS.get(kind) ?? []),
  speedOf: kind => (TWICE_AS_FAST.has(kind) ? 2 : 1)
}
