'use strict'
// What the embedded server's loot gives at the very least: for every block of 1.16.5, ripe, and each
// tool it is told, the smallest count of each item over many draws. Prints JSON: block -> tool ->
// item -> count; the hand is ''.

const path = require('path')

const bridge = path.join(__dirname, '../../bridge')
const { load } = require(path.join(bridge, 'server/packages.cjs'))
const correctHarvest = require(path.join(bridge, 'vanilla/harvest.cjs'))
const loot = require(path.join(bridge, 'server/loot.cjs'))

const DRAWS = 60
const registry = load('prismarine-registry')('1.16.5')
correctHarvest(registry)
const Block = load('prismarine-block')(registry)
const Item = load('prismarine-item')(registry)

const tools = ['', ...JSON.parse(process.argv[2])]
const found = registry.blocksArray.map(kind => [kind.name, Object.fromEntries(
  tools.map(tool => [tool, least(ripe(kind), tool && new Item(registry.itemsByName[tool].id, 1))])
)])
console.log(JSON.stringify(Object.fromEntries(found)))

/** With the highest age there is, else as it is usually. */
function ripe ({ minStateId, maxStateId, defaultState }) {
  const states = Array.from({ length: maxStateId - minStateId + 1 }, (_, i) => minStateId + i)
  const age = id => Number(Block.fromStateId(id).getProperties().age ?? -1)
  const oldest = states.reduce((a, b) => age(b) > age(a) ? b : a)
  return Block.fromStateId(age(oldest) >= 0 ? oldest : defaultState)
}

function least (block, held) {
  const draws = Array.from({ length: DRAWS }, (_, i) => counts(loot(registry, block, held || null, random(i))))
  const items = Object.keys(draws[0])
  return Object.fromEntries(items.map(item => [item, Math.min(...draws.map(drawn => drawn[item] ?? 0))])
    .filter(([, count]) => count > 0))
}

function counts (drops) {
  const sums = {}
  for (const [item, count] of drops) sums[item] = (sums[item] ?? 0) + count
  return sums
}

/** The ends of the scale first, then a sequence of its own for each draw. */
function random (draw) {
  if (draw < 2) return () => draw * 0.999999
  let state = draw
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}
