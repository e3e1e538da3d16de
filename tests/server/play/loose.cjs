'use strict'
// Sand and its like, with nothing below.

const { inDanger, lowest } = require('./harm.cjs')

const nameAt = ({ Vec3 }, bot, x, y, z) => bot.blockAt(new Vec3(x, y, z)).name

async function sandFalls (world) {
  const { put, until } = world
  const alice = await world.fresh('alice')
  for (const [y, block] of [[64, 'air'], [65, 'dirt'], [66, 'red_sand'], [67, 'gravel']]) await put(alice, 8, y, 10, block)
  await alice.dig(alice.blockAt(new world.Vec3(8, 65, 10)), true)
  await until(() => nameAt(world, alice, 8, 65, 10) === 'gravel', 'both lie below')
  return [64, 65, 66, 67].map(y => nameAt(world, alice, 8, y, 10))
}

/** A client puts sand beside a block, over a hole; what others see of it. */
async function sandOverNothing (world) {
  const { until, Vec3 } = world
  const [alice, bob] = [await world.fresh('alice'), await world.fresh('bob', 5.5, 5.5)]
  await world.give(alice, { sand: 1 })
  await alice.equip(world.item(alice, 'sand'), 'hand')
  for (let y = 64; y <= 67; y++) await world.put(alice, 9, y, 10, 'dirt')
  const seen = { heights: [] }
  const kind = bob.registry.entitiesByName.falling_block.id
  bob._client.on('spawn_entity', ({ type, objectData }) => {
    if (type === kind) seen.block = bob.registry.blocksByStateId[objectData].name
  })
  bob.on('entityMoved', ({ name, position }) => { if (name === 'falling_block') seen.heights.push(position.y) })
  bob.on('entityGone', ({ name }) => { if (name === 'falling_block') seen.isGone = true })
  await alice.placeBlock(alice.blockAt(new Vec3(9, 67, 10)), new Vec3(-1, 0, 0))
  await until(() => [alice, bob].every(bot => nameAt(world, bot, 8, 64, 10) === 'sand' && nameAt(world, bot, 8, 67, 10) === 'air'), 'it lies below')
  await until(() => seen.isGone, 'no more of it')
  await world.put(alice, 8, 64, 10, 'air')
  const isDown = seen.heights.every((y, i) => i === 0 || y < seen.heights[i - 1])
  return { block: seen.block, moves: seen.heights.length > 5 && isDown, left: alice.inventory.count(world.item(alice, 'sand'), null) }
}

/** What becomes of blocks that fall on others. */
async function landsOn (world) {
  const { put, until, admin } = world
  const alice = await world.fresh('alice', 2.5, 2.5)
  const became = {}
  for (const [onto, block] of [['torch', 'sand'], ['oak_slab', 'gravel'], ['grass', 'red_sand'], ['water', 'white_concrete_powder'], ['stone', 'anvil']]) {
    await put(alice, 8, 64, 10, onto)
    await admin('setblock', { x: 8, y: 70, z: 10, block })
    became[onto] = await until(async () => {
      const [drop] = await admin('drops')
      const lies = [64, 65].map(y => nameAt(world, alice, 8, y, 10)).find(name => ![onto, 'air'].includes(name))
      return drop ? `${drop[0]} as an item` : lies
    }, `${block} on ${onto}`)
    await put(alice, 8, 65, 10, 'air')
    await put(alice, 8, 64, 10, 'air')
    await admin('sweep')
  }
  return became
}

async function buried (world) {
  const [alice, bob] = [await world.fresh('alice'), await world.fresh('bob', 2.5, 2.5)]
  return inDanger(world, async () => {
    const seen = lowest(alice)
    for (const [x, z] of [[7, 8], [9, 8], [8, 7], [8, 9]]) for (let y = 64; y <= 66; y++) await world.put(bob, x, y, z, 'stone')
    for (let y = 70; y <= 73; y++) await world.admin('setblock', { x: 8, y, z: 8, block: 'sand' })
    await world.until(() => [64, 65, 66].every(y => nameAt(world, alice, 8, y, 8) === 'sand'), 'it lies on her')
    await world.until(() => seen.health < 20, 'hurt')
    const [told, died] = [world.once(bob, 'messagestr'), world.once(alice, 'death')]
    await world.admin('health', { player: 'alice', level: 1 })
    await died
    for (let y = 73; y >= 64; y--) await world.put(bob, 8, y, 8, 'air') // from the top, else it falls
    return { first: 20 - seen.health >= 1, told: (await told)[0] }
  })
}

async function anvilFalls (world) {
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await world.admin('setblock', { x: 8, y: 69, z: 8, block: 'anvil' })
    await world.until(() => seen.health < 20, 'hurt')
    const health = seen.health
    await world.put(alice, 8, 64, 8, 'air')
    return health
  })
}

module.exports = { sandFalls, sandOverNothing, landsOn, buried, anvilFalls }
