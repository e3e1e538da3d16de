'use strict'
// Two chests side by side that face the same way are one: joined when the second is placed, as
// in vanilla, and single again when one is gone. Which half a chest is stands in its state.

const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')

const CHEST = /^(trapped_)?chest$/
const COMPASS = ['north', 'east', 'south', 'west']
const STEPS = [[0, 0, -1], [1, 0, 0], [0, 0, 1], [-1, 0, 0]].map(step => new Vec3(...step))
const TURN = { left: 1, right: 3 } // where the other half is, in quarters to the right of the front
const OTHER = { left: 'right', right: 'left' }

function doubleChests (serv) {
  const { registry } = serv
  const Block = load('prismarine-block')(registry)

  async function chestAt (world, position) {
    const block = await world.getBlock(position)
    return CHEST.test(block.name) ? { name: block.name, position, ...block.getProperties() } : null
  }

  function besides ({ position, facing }, type) {
    return position.plus(STEPS[(COMPASS.indexOf(facing) + TURN[type]) % 4])
  }

  /** The other half of the chest at a place, or null. */
  async function otherHalf (world, position) {
    const chest = await chestAt(world, position)
    if (!chest || !OTHER[chest.type]) return null
    const place = besides(chest, chest.type)
    const other = await chestAt(world, place)
    const fits = other?.name === chest.name && other.facing === chest.facing
    return fits && other.type === OTHER[chest.type] ? place : null
  }

  /** The two halves in the order of their slots, the right one first; one alone if single. */
  async function halves (world, position) {
    const other = await otherHalf(world, position)
    if (!other) return [position]
    const { type } = await chestAt(world, position)
    return type === 'right' ? [position, other] : [other, position]
  }

  /** What is placed in the end for what was to be: the half of a double chest, if there is a
   *  single one beside it, which becomes the other half. */
  async function join (player, position, stateId) {
    const { name } = registry.blocksByStateId[stateId]
    if (!CHEST.test(name) || player.crouching) return stateId
    const chest = { name, position, ...Block.fromStateId(stateId, 0).getProperties() }
    for (const type of ['left', 'right']) {
      const place = besides(chest, type)
      const other = await chestAt(player.world, place)
      if (other?.name !== name || other.facing !== chest.facing || other.type !== 'single') continue
      await serv.setBlock(player.world, place, turned(other, OTHER[type]))
      return turned(chest, type)
    }
    return stateId
  }

  /** Make the other half of a chest that goes a single one. */
  async function part (world, position) {
    const place = await otherHalf(world, position)
    if (place) await serv.setBlock(world, place, turned(await chestAt(world, place), 'single'))
  }

  function turned ({ name, facing, waterlogged }, type) {
    const { states, minStateId, defaultState } = registry.blocksByName[name]
    const properties = { facing, type, waterlogged }
    return minStateId + serv.setBlockDataProperties(defaultState - minStateId, states, properties)
  }

  return { halves, join, part }
}

/** Slots one after the other as if they were one list; what is set goes where it belongs. */
function together (first, second) {
  const both = []
  for (const slots of [first, second]) {
    for (let index = 0; index < slots.length; index++) {
      Object.defineProperty(both, both.length, {
        enumerable: true,
        get: () => slots[index],
        set: item => { slots[index] = item }
      })
    }
  }
  return both
}

module.exports = Object.assign(doubleChests, { together })
