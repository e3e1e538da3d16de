'use strict'
// Chests and furnaces.

const counted = window => window.containerItems().map(({ name, count }) => [name, count])

async function chest ({ fresh, give, item, agreed, put, admin }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, 'chest')
  await give(bot, { oak_log: 10, bread: 2 })
  const window = await bot.openContainer(block)
  await window.deposit(item(bot, 'oak_log'), null, 7)
  await window.deposit(item(bot, 'bread'), null, 2)
  await window.close()
  const stored = await admin('container', { x: 10, y: 64, z: 8 })
  const kept = await agreed(bot)
  const again = await bot.openContainer(block)
  const inside = counted(again)
  await again.withdraw(item(bot, 'oak_log'), null, 3)
  await again.close()
  return { stored: stored.filter(Boolean), kept, inside, end: await agreed(bot) }
}

const EAST = { x: 10, y: 64, z: 8 }
const BESIDE = { x: 10, y: 64, z: 9 }

/** Two chests placed by hand, filled as one; then one of them is gone. */
async function doubleChest ({ fresh, give, item, admin, put, until, once, Vec3 }) {
  const bot = await fresh('alice')
  await put(bot, 10, 64, 8, 'air') // both places are cleared when the scene is over
  await put(bot, 10, 64, 9, 'air')
  await give(bot, { chest: 2, oak_log: 28 * 64 })
  await bot.equip(item(bot, 'chest'), 'hand')
  for (const { x, z } of [EAST, BESIDE]) await bot.placeBlock(bot.blockAt(new Vec3(x, 63, z)), new Vec3(0, 1, 0))
  const at = ({ x, y, z }) => bot.blockAt(new Vec3(x, y, z))
  const types = await until(() => [EAST, BESIDE].map(place => at(place).getProperties().type).sort().join() === 'left,right')
  const window = await bot.openContainer(at(BESIDE))
  await window.deposit(item(bot, 'oak_log'), null, 28 * 64)
  const stored = async place => (await admin('container', place)).filter(Boolean).length
  const facts = { types, slots: window.inventoryStart, inside: window.containerItems().length }
  facts.halves = [await stored(EAST), await stored(BESIDE)].sort()
  const closed = once(bot, 'windowClose')
  await admin('setblock', { ...EAST, block: 'air' })
  await closed
  await until(() => at(BESIDE).getProperties().type === 'single')
  facts.left = (await bot.openContainer(at(BESIDE))).inventoryStart
  return facts
}

/** A thing that keeps what was put in, opened a second time. */
async function keeps (name, { fresh, give, item, put }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, name)
  await give(bot, { bread: 3 })
  const window = await bot.openContainer(block)
  await window.deposit(item(bot, 'bread'), null, 3)
  await window.close()
  const again = await bot.openContainer(block)
  return [again.inventoryStart, counted(again)]
}

const barrel = scene => keeps('barrel', scene)
const shulkerBox = scene => keeps('shulker_box', scene)
const redShulkerBox = scene => keeps('red_shulker_box', scene)

async function twoViewers ({ fresh, give, item, agreed, put, until }) {
  const [alice, bob] = [await fresh('alice', 8.5, 7.5), await fresh('bob', 8.5, 9.5)]
  await put(alice, 10, 64, 8, 'chest')
  const at = alice.entity.position.offset(0, 0, 0).set(10, 64, 8)
  await until(() => bob.blockAt(at)?.name === 'chest')
  await give(alice, { gold_ingot: 5 })
  const [hers, his] = [await alice.openContainer(alice.blockAt(at)), await bob.openContainer(bob.blockAt(at))]
  await hers.deposit(item(alice, 'gold_ingot'), null, 5)
  const saw = await until(() => counted(his).length && counted(his))
  await his.withdraw(item(bob, 'gold_ingot'), null, 5)
  await until(() => counted(hers).length === 0)
  await Promise.all([hers.close(), his.close()])
  return { saw, alice: await agreed(alice), bob: await agreed(bob) }
}

async function brokenChest ({ fresh, give, item, agreed, put, until, once }) {
  const [alice, bob] = [await fresh('alice'), await fresh('bob', 11.5, 11.5)]
  const block = await put(alice, 9, 64, 8, 'chest')
  await give(alice, { oak_log: 4, wooden_axe: 1 })
  const window = await alice.openContainer(block)
  await window.deposit(item(alice, 'oak_log'), null, 4)
  await window.close()
  await until(() => bob.blockAt(block.position)?.name === 'chest')
  await bob.openContainer(bob.blockAt(block.position))
  const closed = once(bob, 'windowClose')
  await alice.equip(item(alice, 'wooden_axe'), 'hand')
  await alice.dig(alice.blockAt(block.position), true)
  await closed
  const hasAll = () => alice.inventory.count(item(alice, 'oak_log')) === 4 && alice.inventory.count(item(alice, 'chest')) === 1
  await until(hasAll, 'chest and contents picked up')
  return await agreed(alice)
}

/** A table is broken while a client lays things out; then comes a click sent before it knew. */
async function brokenTable ({ fresh, give, item, agreed, put, admin, once }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, 'crafting_table')
  await give(bot, { cobblestone: 9 })
  const window = await bot.openBlock(block)
  const { slot: lies } = window.findInventoryItem(item(bot, 'cobblestone'))
  for (const [slot, button] of [[lies, 0], [1, 1], [window.inventoryStart, 1]]) await bot.clickWindow(slot, button, 0)
  const closed = once(bot, 'windowClose')
  await admin('setblock', { x: 10, y: 64, z: 8, block: 'air' })
  await closed
  const facts = { carried: await agreed(bot) }
  const [answered, shown] = [once(bot._client, 'transaction'), once(bot._client, 'window_items')]
  const click = { windowId: window.id, slot: lies, mouseButton: 0, action: 5000, mode: 0, item: { present: false } }
  bot._client.write('window_click', click)
  facts.late = [(await answered)[0].accepted, (await shown)[0].windowId]
  return facts
}

async function furnace ({ fresh, give, item, agreed, put, until, admin }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, 'furnace')
  await give(bot, { iron_ore: 3, oak_planks: 2, coal: 1 }) // all planks: else one burns between two clicks
  const window = await bot.openFurnace(block)
  await window.putInput(item(bot, 'iron_ore'), null, 3)
  await window.putFuel(item(bot, 'oak_planks'), null, 2)
  const lit = await until(() => window.fuel > 0 && window.totalProgress)
  await until(() => window.outputItem()?.count === 3)
  const inside = await admin('container', { x: 10, y: 64, z: 8 })
  await window.takeOutput()
  window.close()
  return { lit, inside, end: await agreed(bot) }
}

async function fuelRunsOut ({ fresh, give, item, put, until, admin }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, 'furnace')
  await give(bot, { sand: 3, oak_planks: 1 })
  const window = await bot.openFurnace(block)
  await window.putInput(item(bot, 'sand'), null, 3)
  await window.putFuel(item(bot, 'oak_planks'), null, 1)
  await until(() => window.outputItem()?.count === 1)
  await until(() => window.fuel === 0)
  const inside = await admin('container', { x: 10, y: 64, z: 8 })
  window.close()
  return inside
}

async function lavaLeavesABucket ({ fresh, give, item, put, until, admin }) {
  const bot = await fresh('alice')
  const block = await put(bot, 10, 64, 8, 'blast_furnace')
  await give(bot, { gold_ore: 1, lava_bucket: 1 })
  const window = await bot.openFurnace(block)
  await window.putInput(item(bot, 'gold_ore'), null, 1)
  await window.putFuel(item(bot, 'lava_bucket'), null, 1)
  await until(() => window.outputItem()?.count === 1)
  const inside = await admin('container', { x: 10, y: 64, z: 8 })
  window.close()
  return inside
}

/** Raw clicks of every mode in the open inventory; slots after each, as [slot, name, count]. */
async function clickModes ({ fresh, admin, agreed, once, item }) {
  const bot = await fresh('alice')
  await admin('give', { player: 'alice', item: 'stone', count: 9 })
  await agreed(bot)
  let action = 5000
  const slots = () => admin('inventory', { player: 'alice' })
  const stone = itemCount => ({ present: true, itemId: item(bot, 'stone'), itemCount, nbtData: undefined })
  async function click (slot, mouseButton, mode, believed) {
    const there = (await slots()).find(([at]) => at === slot)
    const picked = mode === 0 && there ? stone(there[2]) : { present: false }
    const answered = once(bot._client, 'transaction')
    bot._client.write('window_click', { windowId: 0, slot, mouseButton, action: ++action, mode, item: believed ?? picked })
    return (await answered)[0].accepted
  }
  const facts = {}
  const shown = once(bot._client, 'window_items')
  facts.refused = [await click(36, 0, 0, stone(8)), await slots(), (await shown)[0].items[36].itemCount]
  const told = []
  const listen = ({ slot }) => told.push(slot)
  bot._client.on('set_slot', listen)
  await click(36, 0, 0) // all nine onto the cursor
  await click(36, 0, 0) // and back
  await click(-999, 0, 6) // answered after all that was told of the two
  facts.told = told.filter(slot => slot > 0) // not the cursor (-1), nor what the grid makes (0)
  await click(36, 0, 0)
  for (const [slot, button] of [[-999, 0], [9, 1], [10, 1], [11, 1], [-999, 2]]) await click(slot, button, 5)
  facts.dragged = await slots()
  await click(9, 0, 0)
  await click(9, 0, 6) // gathers the like of the cursor
  await click(20, 0, 0)
  facts.gathered = await slots()
  await click(20, 1, 0) // the larger half
  await click(21, 1, 0) // one of it
  await click(20, 0, 0) // the rest back
  facts.halved = await slots()
  await click(21, 4, 2) // key 5
  facts.swapped = await slots()
  await click(20, 0, 1)
  facts.moved = await slots()
  await click(40, 1, 4)
  facts.thrown = [await slots(), (await admin('drops')).map(([name, count]) => [name, count])]
  return facts
}

/** Leave a block, a chest with something in it, and things at hand; nothing is tidied away. */
async function settleIn ({ fresh, give, item, agreed, admin, until, Vec3 }) {
  const bot = await fresh('alice')
  await give(bot, { oak_log: 3, bread: 1, diamond: 2 })
  await admin('setblock', { x: 3, y: 70, z: 3, block: 'gold_block' })
  await admin('setblock', { x: 10, y: 64, z: 8, block: 'chest' })
  const chest = await until(() => bot.blockAt(new Vec3(10, 64, 8))?.name === 'chest' && bot.blockAt(new Vec3(10, 64, 8)))
  const window = await bot.openContainer(chest)
  await window.deposit(item(bot, 'diamond'), null, 2)
  await window.close()
  return await agreed(bot)
}

async function returnHome ({ join, agreed, admin, until, Vec3 }) {
  const bot = await join('alice')
  const chest = await until(() => bot.blockAt(new Vec3(10, 64, 8)))
  const window = await bot.openContainer(chest)
  const inside = counted(window)
  await window.close()
  return { block: await admin('block', { x: 3, y: 70, z: 3 }), owns: await agreed(bot), chest: inside }
}

module.exports = {
  chest,
  doubleChest,
  barrel,
  shulkerBox,
  redShulkerBox,
  twoViewers,
  brokenChest,
  brokenTable,
  furnace,
  fuelRunsOut,
  lavaLeavesABucket,
  clickModes,
  settleIn,
  returnHome
}
