'use strict'
// Surveys the generated country without a server. argv: seed, chunks around spawn.
// stdout: one JSON object of what stands where; the caller judges.

const { createHash } = require('node:crypto')
const { createRequire } = require('node:module')
const path = require('node:path')
const country = require('../../bridge/server/country.cjs')

const load = createRequire(path.join(process.env.TOWNSFOLK_NODE_DIR, 'package.json'))
const registry = load('prismarine-registry')('1.16.5')
const [seed, reach] = process.argv.slice(2).map(Number)
const BURIED = ['iron_ore', 'gold_ore', 'redstone_ore', 'lapis_ore', 'diamond_ore', 'emerald_ore']
const SOFT = new Set(['air', 'water', 'lava', 'grass', 'poppy', 'dandelion', 'sugar_cane'])

const chunkAt = country({ registry, seed })
const found = { counts: {}, buried: [], spawn: {}, surface: [], chunks: {} }

for (let cx = -reach; cx <= reach; cx++) for (let cz = -reach; cz <= reach; cz++) survey(cx, cz)
found.again = digest(country({ registry, seed })(1, -1)) === digest(chunkAt(1, -1))
found.digest = digest(chunkAt(1, -1))
process.stdout.write(JSON.stringify(found))

function digest (chunk) {
  return createHash('sha256').update(chunk.dump()).digest('hex')
}

function survey (cx, cz) {
  const chunk = chunkAt(cx, cz)
  const here = new Set()
  for (let x = 0; x < 16; x++) for (let z = 0; z < 16; z++) column(chunk, cx * 16 + x, cz * 16 + z, here)
  found.chunks[`${cx},${cz}`] = [...here]
}

function column (chunk, x, z, here) {
  let cover = 0 // solid blocks above
  for (let y = 100; y >= 0; y--) {
    const name = nameAt(chunk, x & 15, y, z & 15)
    if (name === 'air') continue
    here.add(name)
    found.counts[name] = (found.counts[name] || 0) + 1
    if (BURIED.includes(name)) found.buried.push([name, x, y, z, cover])
    const tree = /_(log|leaves)$/.test(name)
    if (!SOFT.has(name) && !tree && cover === 0) found.surface.push(y)
    if (!SOFT.has(name) && !tree) cover++
  }
  if (x >= 0 && x < 16 && z >= 0 && z < 16) found.spawn[`${x},${z}`] = [63, 64, 65].map(y => nameAt(chunk, x, y, z))
}

function nameAt (chunk, x, y, z) {
  return registry.blocksByStateId[chunk.getBlockStateId({ x, y, z })].name
}
