'use strict'
// Twenty-five chunks of level ground: stone with known ores, dirt, grass; the middle one holds
// them, `isBare` leaves it flat.
const OLD_NAMES = require('./old_names.cjs')
const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')

const GROUND = 63 // feet stand at 64
const SIDE = 16
// expected: a section without blocks is not announced. actual: prismarine-chunk announces it, once
// it held some, and leaves it out up to 1.17. So the one that tests build in is never empty.
const CORNER = { x: 15, y: 79, z: 15 }

class World {
  constructor (data, isBare) {
    this.data = data
    this.Chunk = load('prismarine-chunk')(data)
    this.bottom = data.supportFeature('tallWorld') ? -64 : 0
    this.plain = this.filled()
    this.middle = this.filled()
    this.packets = new Map() // chunk -> the body of its packet
    this.set(CORNER, this.state('stone'))
    if (!isBare) for (const [x, y, z, name] of this.specials()) this.set({ x, y, z }, this.state(name))
  }

  specials () {
    const known = (...names) => names.find(name => this.data.blocksByName[name])
    return [
      [11, 60, 11, 'coal_ore'], [12, 60, 11, 'coal_ore'], [12, 40, 12, 'iron_ore'],
      [3, this.bottom + 5, 3, known('deepslate_diamond_ore', 'diamond_ore')],
      [4, 64, 12, 'oak_log'], [4, 65, 12, 'oak_log'], [4, 66, 12, 'oak_log'],
      [12, 64, 4, 'crafting_table'], [13, 64, 4, 'chest']
    ]
  }

  /** The number of a block's default state. */
  state (name) {
    if (!this.data.supportFeature('blockStateId') && OLD_NAMES[name]) {
      const [id, metadata] = OLD_NAMES[name]
      return id << 4 | metadata
    }
    const block = this.data.blocksByName[name]
    if (!block) throw new Error(`no block ${name}`)
    return block.defaultState ?? block.minStateId ?? block.id << 4
  }

  /** Put a block into the middle chunk; others stay as they are. */
  set ({ x, y, z }, state) {
    if (x >> 4 || z >> 4) throw new Error('only the middle chunk can be built in')
    this.middle.setBlockStateId(new Vec3(x, y, z), state)
    this.packets.delete(this.middle)
  }

  /** The number of the state of a block in the middle chunk. */
  at ({ x, y, z }) {
    return this.middle.getBlockStateId(new Vec3(x, y, z))
  }

  /** Where a block of this name is in one layer of the middle chunk. */
  named (name, y) {
    const state = this.state(name)
    const found = []
    each(y, y, at => this.middle.getBlockStateId(at) === state && found.push(at))
    return found
  }

  filled () {
    const size = this.bottom < 0 ? { minY: -64, worldHeight: 384 } : undefined
    const chunk = new this.Chunk(size)
    this.layer(chunk, this.bottom, this.bottom, 'bedrock')
    this.layer(chunk, this.bottom + 1, GROUND - 2, 'stone')
    this.layer(chunk, GROUND - 1, GROUND - 1, 'dirt')
    this.layer(chunk, GROUND, GROUND, 'grass_block')
    if (chunk.setSkyLight) {
      each(GROUND + 1, GROUND + SIDE, at => chunk.setSkyLight(at, 15))
    }
    return chunk
  }

  layer (chunk, from, to, name) {
    const state = this.state(name)
    each(from, to, at => chunk.setBlockStateId(at, state))
  }

  /** The `map_chunk` packets of all chunks. */
  * chunks () {
    for (let x = -2; x <= 2; x++) {
      for (let z = -2; z <= 2; z++) yield { ...this.packet(x || z ? this.plain : this.middle), x, z }
    }
  }

  packet (chunk) {
    if (!this.packets.has(chunk)) this.packets.set(chunk, body(this.data, chunk))
    return this.packets.get(chunk)
  }
}

function each (fromY, toY, visit) {
  for (let y = fromY; y <= toY; y++) {
    for (let x = 0; x < SIDE; x++) for (let z = 0; z < SIDE; z++) visit(new Vec3(x, y, z))
  }
}

function body (data, chunk) {
  const lights = chunk.dumpLight?.()
  return {
    groundUp: true,
    biomes: chunk.dumpBiomes?.(),
    heightmaps: heightmaps(data),
    bitMap: chunk.getMask(),
    chunkData: chunk.dump(),
    blockEntities: [],
    trustEdges: false,
    ...lights
  }
}

function heightmaps ({ version, supportFeature }) {
  const longs = new Array(supportFeature('tallWorld') ? 37 : 36).fill([0, 0])
  if (version['>=']('1.21.5')) {
    return [{ type: version['>=']('1.21.6') ? 'motion_blocking' : 4, data: longs }]
  }
  return { type: 'compound', name: '', value: { MOTION_BLOCKING: { type: 'longArray', value: longs } } }
}

module.exports = { World }
