'use strict'
// Crops: a hoe makes farmland, seeds are sown on it, and what is sown grows, faster beside water and
// among other farmland, on average as in vanilla. Light is not asked for.

const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')

const UP = 1
const EARTH = /^(grass_block|dirt|grass_path)$/
const SOWN = { wheat_seeds: 'wheat', beetroot_seeds: 'beetroots', carrot: 'carrots', potato: 'potatoes' }
const CROPS = Object.values(SOWN)
const LOOK_MS = 20000
const SIDE = 16
const WATERED = 4 // blocks
const WET = 7
const AROUND = [-1, 0, 1].flatMap(dx => [-1, 0, 1].map(dz => [dx, dz]))

module.exports = function crops (serv, { inventory, wear }, { cropTickMs }) {
  const { registry } = serv
  const states = new Set(CROPS.flatMap(name => growing(registry.blocksByName[name])))
  const every = Math.min(LOOK_MS, cropTickMs)

  serv.once('pluginsReady', () => {
    for (const [seeds, crop] of Object.entries(SOWN)) serv.onItemPlace(seeds, where => sow(crop, where), false)
  })

  async function sow (crop, { player, placedPosition }) {
    const below = await player.world.getBlock(placedPosition.offset(0, -1, 0))
    return below.name === 'farmland' ? { id: registry.blocksByName[crop].id, data: 0 } : {}
  }

  /** Whether the player tilled what was clicked. */
  async function till (player, clicked, direction) {
    const held = inventory.held(player)
    if (direction !== UP || !held?.name.endsWith('_hoe')) return false
    const { world } = player
    const [earth, above] = await Promise.all([0, 1].map(dy => world.getBlock(clicked.offset(0, dy, 0))))
    if (!EARTH.test(earth.name) || above.name !== 'air') return false
    const moisture = await isWatered(world, clicked) ? WET : 0
    await serv.setBlock(world, clicked, registry.blocksByName.farmland.minStateId + moisture)
    wear(player)
    return true
  }

  async function isWatered (world, at) {
    for (let dx = -WATERED; dx <= WATERED; dx++) {
      for (let dz = -WATERED; dz <= WATERED; dz++) {
        for (const dy of [0, 1]) if ((await world.getBlock(at.offset(dx, dy, dz))).name === 'water') return true
      }
    }
    return false
  }

  /** Grow all that stands in loaded land. */
  async function grow () {
    if (!serv.players.length) return
    const standing = serv.overworld.getColumns().flatMap(found => [...cropsIn(found)])
    for (const at of standing) await growOne(at)
  }

  /** Where crops that are not ripe stand in a column. */
  function * cropsIn ({ chunkX, chunkZ, column }) {
    for (const [number, section] of column.sections.entries()) {
      if (!section?.palette?.some(state => states.has(state))) continue
      for (let i = 0; i < SIDE ** 3; i++) {
        const [x, y, z] = [i % SIDE, number * SIDE + Math.floor(i / SIDE ** 2), Math.floor(i / SIDE) % SIDE]
        if (!states.has(column.getBlockStateId(new Vec3(x, y, z)))) continue
        yield new Vec3(chunkX * SIDE + x, y, chunkZ * SIDE + z)
      }
    }
  }

  async function growOne (at) {
    const chance = await chanceOf(at)
    for (let ticks = poured(every / cropTickMs); ticks > 0; ticks--) {
      const state = await serv.overworld.getBlockStateId(at)
      if (states.has(state) && Math.random() < chance) await serv.setBlock(serv.overworld, at, state + 1)
    }
  }

  /** That one tick makes it grow. Source: minecraft.wiki/w/Wheat_Seeds, without the rule of rows. */
  async function chanceOf (at) {
    let points = 1
    for (const [dx, dz] of AROUND) {
      const ground = await serv.overworld.getBlock(at.offset(dx, -1, dz))
      if (ground.name !== 'farmland') continue
      const worth = Number(ground.getProperties().moisture) > 0 ? 3 : 1
      points += dx || dz ? worth / 4 : worth
    }
    return 1 / (Math.floor(25 / points) + 1)
  }

  setInterval(() => grow().catch(error => serv.emit('error', error)), every).unref()

  return { till }
}

/** The states of a crop but the last, which is ripe. */
function growing ({ minStateId, maxStateId }) {
  return Array.from({ length: maxStateId - minStateId }, (_, age) => minStateId + age)
}

/** A whole number that is `mean` on average. */
function poured (mean) {
  return Math.floor(mean) + (Math.random() < mean % 1 ? 1 : 0)
}
