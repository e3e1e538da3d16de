'use strict'
// Doors, gates and trapdoors, opened and closed by hand. A door is two blocks high.

const REACH = 8
const BY_HAND = /^(?!iron_)\w*(door|fence_gate)$/ // an iron one heeds redstone alone
const DOOR = /_door$/

module.exports = function doors (serv, inventory) {
  const { registry } = serv

  for (const name of Object.keys(registry.blocksByName).filter(name => BY_HAND.test(name))) {
    serv.onBlockInteraction(name, async ({ block, player }) => {
      if (player.crouching && inventory.held(player)) return false
      if (player.position.distanceTo(block.position) <= REACH) await turn(player.world, block)
      return true
    })
  }

  async function turn (world, block) {
    const open = !block.getProperties().open
    for (const way of [-1, 0, 1]) {
      const place = block.position.offset(0, way, 0)
      const there = await world.getBlock(place)
      const isPart = way === 0 || (there.type === block.type && DOOR.test(there.name))
      if (isPart) await serv.setBlock(world, place, stateOf(serv, there.name, { ...there.getProperties(), open }))
    }
  }

  /** Whether there is room for all of what is placed; the upper half of a door comes with it. */
  async function hasRoom (world, position, stateId) {
    if (!DOOR.test(registry.blocksByStateId[stateId].name)) return true
    return (await world.getBlock(position.offset(0, 1, 0))).boundingBox === 'empty'
  }

  async function complete (world, position, block) {
    if (!DOOR.test(block.name)) return
    const upper = stateOf(serv, block.name, { ...block.getProperties(), half: 'upper' })
    await serv.setBlock(world, position.offset(0, 1, 0), upper)
  }

  return { complete, hasRoom }
}

/** The state of a block that has these properties, the others as by default. */
function stateOf (serv, name, properties) {
  const { states, minStateId, defaultState } = serv.registry.blocksByName[name]
  return minStateId + serv.setBlockDataProperties(defaultState - minStateId, states, properties)
}

module.exports.stateOf = stateOf
