'use strict'
// Fishing with Mineflayer's own plugin, in a pond dug for the scene.

const POND = [11, 12, 13].flatMap(x => [7, 8, 9].map(z => ({ x, y: 63, z })))

async function angle (world) {
  const { admin, fresh, give, until, Vec3 } = world
  const found = await Promise.all(POND.map(at => admin('block', at)))
  for (const at of POND) await admin('setblock', { ...at, block: 'water' })
  try {
    const [bot, bob] = [await fresh('alice'), await fresh('bob', 8.5, 4.5)]
    await until(() => bot.blockAt(new Vec3(12, 63, 8))?.name === 'water', 'the pond')
    await give(bot, { fishing_rod: 1 })
    return await fishOnce(world, bot, bob)
  } finally {
    for (const [i, at] of POND.entries()) await admin('setblock', { ...at, block: found[i] })
  }
}

async function fishOnce ({ agreed, item, until, Vec3 }, bot, bob) {
  await bot.equip(item(bot, 'fishing_rod'), 'hand')
  await bot.lookAt(new Vec3(12.5, 63.9, 8.5), true)
  await bot.waitForTicks(3) // until the look has been sent
  const fished = bot.fish()
  const isSeen = async viewer => await until(() => bobbers(viewer).length === 1, 'the bobber')
  await Promise.all([bot, bob].map(isSeen))
  await fished
  await until(() => bot.inventory.items().reduce((sum, { count }) => sum + count, 0) > 1, 'a catch')
  await until(() => !bobbers(bot).length && !bobbers(bob).length, 'no bobber')
  await agreed(bot)
  return { worn: bot.inventory.slots[36 + bot.quickBarSlot].durabilityUsed }
}

/** Cast, then put the rod away. */
async function putAway ({ give, fresh, item, until }) {
  const bot = await fresh('alice')
  await give(bot, { fishing_rod: 1, stick: 1 })
  await bot.equip(item(bot, 'fishing_rod'), 'hand')
  bot.activateItem()
  await until(() => bobbers(bot).length === 1, 'the bobber')
  await bot.equip(item(bot, 'stick'), 'hand')
  await until(() => !bobbers(bot).length, 'no bobber')
  return bot.inventory.items().map(({ name, durabilityUsed }) => [name, durabilityUsed ?? 0]).sort()
}

function bobbers ({ entities }) {
  return Object.values(entities).filter(({ name }) => name === 'fishing_bobber')
}

module.exports = { angle, putAway }
