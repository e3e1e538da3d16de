'use strict'
// Digging, loot, picking up, placing.

async function equip ({ give, item }, bot, tool) {
  if (!tool) return
  await give(bot, { [tool]: 1 })
  await bot.equip(item(bot, tool), 'hand')
}

/** Dig blocks put before a bot one after the other; what it then holds besides its tool. */
async function digAll (world, tool, blocks) {
  const bot = await world.fresh('alice')
  await equip(world, bot, tool)
  const counts = {}
  for (const name of blocks) {
    const block = await world.put(bot, 9, 64, 8, name)
    const before = await world.agreed(bot)
    await bot.dig(block, true)
    counts[name] = await gained(world, bot, before)
  }
  return counts
}

/** What came in since, once nothing lies about any more. */
async function gained ({ agreed, until, admin }, bot, before) {
  await until(async () => (await admin('drops')).length === 0, 'all picked up')
  const now = await agreed(bot)
  const change = name => (now[name] || 0) - (before[name] || 0)
  return Object.fromEntries(Object.keys(now).filter(change).map(name => [name, change(name)]))
}

const byHand = world => digAll(world, null, ['netherrack', 'oak_log', 'dirt', 'grass_block'])
const woodenPickaxe = world => digAll(world, 'wooden_pickaxe', ['stone', 'coal_ore', 'iron_ore'])
const ironPickaxe = world =>
  digAll(world, 'iron_pickaxe', ['redstone_ore', 'lapis_ore', 'diamond_ore', 'gold_ore', 'iron_ore', 'emerald_ore'])
const shovel = world => digAll(world, 'diamond_shovel', ['clay', 'sand', 'glass', 'oak_slab'])

async function toolWears (world) {
  const bot = await world.fresh('alice')
  await equip(world, bot, 'wooden_pickaxe')
  await bot.dig(await world.put(bot, 9, 64, 8, 'stone'), true)
  await world.until(() => bot.heldItem?.durabilityUsed === 1)
  return bot.heldItem.durabilityUsed
}

async function tooFast ({ fresh, put, until, admin, once }) {
  const bot = await fresh('alice')
  const block = await put(bot, 9, 64, 8, 'stone')
  const denied = once(bot._client, 'block_change')
  bot._client.write('block_dig', { status: 0, location: block.position, face: 1 })
  bot._client.write('block_dig', { status: 2, location: block.position, face: 1 })
  await denied
  return await admin('block', { x: 9, y: 64, z: 8 })
}

async function fromAfar ({ fresh, put, once, admin }) {
  const bot = await fresh('alice')
  const block = await put(bot, 14, 64, 1, 'oak_leaves')
  const answer = once(bot._client, 'acknowledge_player_digging')
  bot._client.write('block_dig', { status: 0, location: block.position, face: 1 })
  const [{ successful }] = await answer
  return { successful, block: await admin('block', { x: 14, y: 64, z: 1 }) }
}

async function countedPickup ({ fresh, give, item, agreed, until, once, throwAt }) {
  const [alice, bob] = [await fresh('alice', 4.5, 8.5), await fresh('bob', 8.5, 8.5)]
  await give(alice, { cobblestone: 40 })
  const collected = once(bob, 'playerCollect')
  await throwAt(alice, bob)
  const [collector] = await collected
  await until(() => bob.inventory.count(item(bob, 'cobblestone')) === 40)
  return { collector: collector.username, alice: await agreed(alice), bob: await agreed(bob) }
}

async function partPickup ({ fresh, admin, until, agreed, throwAt }) {
  const [alice, bob] = [await fresh('alice', 4.5, 8.5), await fresh('bob', 8.5, 8.5)]
  await admin('give', { player: 'bob', item: 'dirt', count: 36 * 64 - 10 })
  await admin('give', { player: 'alice', item: 'dirt', count: 30 })
  await agreed(alice)
  await throwAt(alice, bob)
  await until(async () => (await admin('drops')).some(([, count]) => count === 20), 'twenty left')
  const { dirt } = await agreed(bob)
  return { dirt, lying: (await admin('drops')).map(([name, count]) => [name, count]) }
}

async function place ({ fresh, give, item, agreed, admin, put, Vec3 }) {
  const bot = await fresh('alice')
  await give(bot, { oak_planks: 3 })
  await bot.equip(item(bot, 'oak_planks'), 'hand')
  await bot.placeBlock(bot.blockAt(new Vec3(10, 63, 8)), new Vec3(0, 1, 0))
  const underFeet = await bot.placeBlock(bot.blockAt(new Vec3(8, 63, 8)), new Vec3(0, 1, 0)).then(() => 'placed', () => 'refused')
  const block = await admin('block', { x: 10, y: 64, z: 8 })
  await put(bot, 10, 64, 8, 'oak_planks') // so that it is taken away at the end
  return { block, underFeet, end: await agreed(bot) }
}

/** A door placed by hand; whether its halves are open before, and after it was used twice. */
async function door (world) {
  const { fresh, give, item, admin, until, put, Vec3 } = world
  const bot = await fresh('alice')
  await give(bot, { oak_door: 1 })
  await bot.equip(item(bot, 'oak_door'), 'hand')
  await bot.placeBlock(bot.blockAt(new Vec3(10, 63, 8)), new Vec3(0, 1, 0))
  const states = []
  for (const open of [false, true, false]) {
    if (states.length) await bot.activateBlock(bot.blockAt(new Vec3(10, 65, 8)))
    await until(() => [64, 65].every(y => bot.blockAt(new Vec3(10, y, 8)).getProperties().open === open))
    const halves = await Promise.all([64, 65].map(y => admin('properties', { x: 10, y, z: 8 })))
    states.push(halves.map(half => [half.half, half.open]))
  }
  await put(bot, 10, 65, 8, 'oak_planks') // so that both are taken away at the end
  await put(bot, 10, 64, 8, 'oak_planks')
  return states
}

async function heldShown ({ fresh, give, item, until }) {
  const [alice, bob] = [await fresh('alice', 6.5, 8.5), await fresh('bob')]
  const shown = () => bob.players.alice.entity.equipment[0]?.name ?? null
  await give(alice, { iron_sword: 1, apple: 1 })
  await alice.equip(item(alice, 'apple'), 'hand')
  const first = await until(() => shown() === 'apple' && shown())
  await alice.equip(item(alice, 'iron_sword'), 'hand')
  return [first, await until(() => shown() === 'iron_sword' && shown())]
}

async function torchFalls (world) {
  const { fresh, put, until, admin, agreed } = world
  const bot = await fresh('alice')
  await put(bot, 9, 64, 8, 'dirt')
  const torch = await put(bot, 9, 65, 8, 'torch')
  await bot.dig(bot.blockAt(torch.position.offset(0, -1, 0)), true)
  await until(async () => (await admin('drops')).length === 0)
  return { end: await agreed(bot), above: await admin('block', { x: 9, y: 65, z: 8 }) }
}

/** What comes of things that a client puts against a block where they do not stay, or do. */
async function thingsStay (world) {
  const { fresh, give, item, admin, until, put, Vec3 } = world
  const bot = await fresh('alice')
  const came = []
  for (const [name, against, here, face] of THINGS) {
    await give(bot, { [name]: 1 })
    await bot.equip(item(bot, name), 'hand')
    const floor = await put(bot, 10, 64, 8, against)
    for (const [x, y] of BESIDE) await put(bot, x, y, 8, here)
    const at = floor.position.plus(new Vec3(...face))
    await bot._genericPlace(floor, new Vec3(...face), { forceLook: true, swingArm: 'right' })
    const carried = await settled(bot, world)
    came.push([name, await admin('block', at), carried[name] ?? 0])
    await admin('clear', { player: bot.username })
    await until(() => bot.inventory.items().length === 0, 'empty hands')
  }
  return came
}

const BESIDE = [[10, 65], [9, 64]]
const THINGS = [
  ['torch', 'stone', 'air', [0, 1, 0]], ['torch', 'stone', 'water', [0, 1, 0]],
  ['torch', 'stone', 'air', [-1, 0, 0]], ['redstone_torch', 'stone', 'air', [-1, 0, 0]],
  ['rail', 'oak_slab', 'air', [0, 1, 0]], ['lever', 'stone', 'air', [-1, 0, 0]],
  ['lever', 'stone', 'air', [0, 1, 0]], ['ladder', 'oak_leaves', 'air', [-1, 0, 0]],
  ['poppy', 'stone', 'air', [0, 1, 0]], ['cactus', 'sand', 'air', [0, 1, 0]]
]

/** What a bot carries once the server has dealt with what it did. */
async function settled (bot, { agreed }) {
  bot._client.write('client_command', { actionId: 1 })
  await new Promise(resolve => bot._client.once('statistics', resolve))
  return await agreed(bot)
}

/** Dig a block with things on it, beside it and below it; what is left of them. */
async function thingsFall (world) {
  const { fresh, put, until, admin, owns } = world
  const bot = await fresh('alice')
  const stone = await put(bot, 10, 66, 8, 'dirt')
  const hung = [[10, 67, 8, 'rail', {}], [10, 65, 8, 'lantern', { hanging: true }], [10, 66, 7, 'wall_torch', { facing: 'north' }],
    [11, 66, 8, 'ladder', { facing: 'east' }], [10, 66, 9, 'lever', { face: 'wall', facing: 'south' }]]
  for (const [x, y, z, name, properties] of hung) {
    await put(bot, x, y, z, name)
    await admin('setblock', { x, y, z, block: name, properties })
  }
  await bot.dig(stone, true)
  const fallen = async () => [...Object.keys(await owns(bot)), ...(await admin('drops')).map(([name]) => name)]
  await until(async () => (await fallen()).length > hung.length, 'all fallen')
  const left = await Promise.all(hung.map(([x, y, z]) => admin('block', { x, y, z })))
  return { left, fallen: (await fallen()).sort() }
}

/** Dig a block out of the bottom of a pond one wide; what holds its place, and how high its item rises. */
async function digUnderWater (world) {
  const { fresh, put, until, admin } = world
  const bot = await fresh('alice')
  for (const y of [64, 65, 66]) await put(bot, 11, y, 8, 'water')
  const clay = await put(bot, 11, 64, 8, 'clay')
  await bot.dig(clay, true)
  await until(() => bot.blockAt(clay.position).name === 'water', 'water comes in')
  const heights = async () => (await admin('drops')).map(([, , [, y]]) => y)
  await until(async () => (await heights()).some(y => y > 66.5), 'clay comes up')
  return { there: await admin('block', { x: 11, y: 64, z: 8 }), lying: (await heights()).length }
}

/** Dig the block that holds lava back; what lava then does, and what is where nobody dug. */
async function lavaRunsOut (world) {
  const { fresh, put, until, admin } = world
  const bot = await fresh('alice')
  await put(bot, 12, 64, 8, 'lava')
  for (const [x, z] of [[13, 8], [12, 7], [12, 9]]) await put(bot, x, 64, z, 'stone')
  const wall = await put(bot, 11, 64, 8, 'dirt')
  await bot.dig(wall, true)
  await until(() => bot.blockAt(wall.position).name === 'lava', 'lava comes out')
  return { level: bot.blockAt(wall.position).metadata, behind: await admin('block', { x: 12, y: 64, z: 8 }) }
}

module.exports = {
  digUnderWater,
  lavaRunsOut,
  digByHand: byHand,
  woodenPickaxe,
  ironPickaxe,
  shovel,
  toolWears,
  tooFast,
  fromAfar,
  countedPickup,
  partPickup,
  place,
  door,
  torchFalls,
  thingsStay,
  thingsFall,
  heldShown
}
