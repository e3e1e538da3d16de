'use strict'
// Crafting by hand and at the table.

function recipe (bot, item, name, table = null) {
  const found = bot.recipesFor(item(bot, name), null, 1, table)[0]
  if (!found) throw new Error(`no recipe for ${name} with what is held`)
  return found
}

async function byHand ({ fresh, give, item, agreed }) {
  const bot = await fresh('alice')
  await give(bot, { oak_log: 2 })
  await bot.craft(recipe(bot, item, 'oak_planks'), 2, null)
  const planks = await agreed(bot)
  await bot.craft(recipe(bot, item, 'crafting_table'), 1, null)
  await bot.craft(recipe(bot, item, 'stick'), 1, null)
  return { planks, end: await agreed(bot) }
}

async function atTable ({ fresh, give, item, agreed, put }) {
  const bot = await fresh('alice')
  const table = await put(bot, 10, 64, 8, 'crafting_table')
  await give(bot, { oak_planks: 3, stick: 2, cobblestone: 8, iron_ingot: 3 })
  await bot.craft(recipe(bot, item, 'wooden_pickaxe', table), 1, table)
  const pickaxe = await agreed(bot)
  await bot.craft(recipe(bot, item, 'furnace', table), 1, table)
  await bot.craft(recipe(bot, item, 'bucket', table), 1, table)
  return { pickaxe, end: await agreed(bot) }
}

/** Lay stacks into the open grid one by one, take the result, put it away. */
async function layOut ({ item, agreed, until }, bot, window, cells) {
  for (const [cell, name] of Object.entries(cells)) {
    const source = window.findInventoryItem(item(bot, name), null)
    await bot.clickWindow(source.slot, 0, 0)
    await bot.clickWindow(Number(cell), 1, 0)
    await bot.clickWindow(source.slot, 0, 0)
  }
  await until(() => window.slots[0] && window.slots[0].count > 0)
  const made = { name: window.slots[0].name, count: window.slots[0].count }
  await bot.putAway(0)
  if (window !== bot.inventory) await bot.closeWindow(window)
  return { made, end: await agreed(bot) }
}

async function openTable ({ put, once }, bot) {
  const table = await put(bot, 10, 64, 8, 'crafting_table')
  const opened = once(bot, 'windowOpen')
  await bot.activateBlock(table)
  return (await opened)[0]
}

async function mixedChest (world) {
  const bot = await world.fresh('alice')
  await world.give(bot, { oak_planks: 3, birch_planks: 5 })
  const window = await openTable(world, bot)
  const [oak, birch] = ['oak_planks', 'birch_planks']
  return layOut(world, bot, window, { 1: oak, 2: oak, 3: oak, 4: birch, 6: birch, 7: birch, 8: birch, 9: birch })
}

async function mixedSticks (world) {
  const bot = await world.fresh('alice')
  await world.give(bot, { oak_planks: 1, spruce_planks: 1 })
  return layOut(world, bot, bot.inventory, { 2: 'oak_planks', 4: 'spruce_planks' })
}

async function mixedStones (world) {
  const bot = await world.fresh('alice')
  await world.give(bot, { cobblestone: 1, blackstone: 2, stick: 2 })
  const window = await openTable(world, bot)
  const cells = { 1: 'cobblestone', 2: 'blackstone', 4: 'blackstone', 5: 'stick', 8: 'stick' }
  return layOut(world, bot, window, cells)
}

async function mirroredAxe (world) {
  const bot = await world.fresh('alice')
  await world.give(bot, { oak_planks: 3, stick: 2 })
  const window = await openTable(world, bot)
  const wood = 'oak_planks'
  return layOut(world, bot, window, { 2: wood, 3: wood, 6: wood, 5: 'stick', 8: 'stick' })
}

async function cakeLeavesBuckets (world) {
  const bot = await world.fresh('alice')
  await world.give(bot, { milk_bucket: 3, sugar: 2, egg: 1, wheat: 3 })
  const window = await openTable(world, bot)
  const milk = 'milk_bucket'
  return layOut(world, bot, window, { 1: milk, 2: milk, 3: milk, 4: 'sugar', 5: 'egg', 6: 'sugar', 7: 'wheat', 8: 'wheat', 9: 'wheat' })
}

async function nothingFits ({ fresh, give, item, until, agreed }) {
  const bot = await fresh('alice')
  await give(bot, { dirt: 1 })
  const source = bot.inventory.findInventoryItem(item(bot, 'dirt'), null)
  await bot.clickWindow(source.slot, 0, 0)
  await bot.clickWindow(1, 0, 0)
  await until(() => bot.inventory.slots[1]?.name === 'dirt')
  const result = bot.inventory.slots[0]
  bot._client.write('close_window', { windowId: 0 })
  return { result, end: await agreed(bot) }
}

async function shiftClick ({ fresh, give, put, once, item, agreed }) {
  const bot = await fresh('alice')
  await give(bot, { oak_log: 5 })
  const source = bot.inventory.findInventoryItem(item(bot, 'oak_log'), null)
  await bot.clickWindow(source.slot, 0, 0)
  await bot.clickWindow(1, 0, 0)
  await bot.clickWindow(0, 0, 1).catch(() => {}) // the client does not foresee all five crafts
  return await agreed(bot)
}

module.exports = {
  byHand, atTable, mixedChest, mixedSticks, mixedStones, mirroredAxe, cakeLeavesBuckets, nothingFits, shiftClick
}
