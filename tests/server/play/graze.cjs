'use strict'
// Farm animals: seen by name, hunted for meat.

async function seeAnimals ({ fresh, admin, until }) {
  const bot = await fresh('alice')
  const stand = await admin('animals')
  const seen = () => Object.values(bot.entities)
    .filter(({ name }) => stand.some(([kind]) => kind === name))
  const isSeen = ([kind, place]) => seen().some(({ name, position }) =>
    name === kind && position.toArray().every((at, axis) => Math.abs(at - place[axis]) < 0.1))
  await until(async () => (await admin('animals')).every(isSeen), 'every animal where it is by now')
  return { stand: stand.length, seen: seen().length, kinds: [...new Set(stand.map(([kind]) => kind))] }
}

/** One of each kind, with a sword for all but the chicken. */
async function hunt ({ fresh, give, item, move, admin, until, holds, agreed }) {
  const bot = await fresh('alice')
  await give(bot, { diamond_sword: 1 })
  const eaten = {}
  for (const [kind, meat] of [['cow', 'beef'], ['pig', 'porkchop'], ['sheep', 'mutton'], ['chicken', 'chicken']]) {
    const [, [x, y, z]] = (await admin('animals')).find(([name]) => name === kind)
    await move(bot, x, y, z)
    const prey = bot.nearestEntity(({ name }) => name === kind)
    let hits = 0 // that told; a stroke too soon after the last one does not
    const onHit = entity => { if (entity === prey) hits++ }
    bot.on('entityHurt', onHit)
    bot.on('entityDead', onHit)
    await (kind === 'chicken' ? bot.unequip('hand') : bot.equip(item(bot, 'diamond_sword'), 'hand'))
    await until(async () => {
      if (!bot.entities[prey.id]) return true
      bot.attack(prey)
      await bot.waitForTicks(13)
    }, `${kind} killed`)
    await until(() => holds(bot)[meat], meat)
    eaten[kind] = { hits, meat: holds(bot)[meat], left: (await admin('animals')).filter(([name]) => name === kind).length }
  }
  await agreed(bot)
  return eaten
}

async function hitFromAfar ({ fresh, move, admin }) {
  const bot = await fresh('alice')
  const [, [x, y, z]] = (await admin('animals')).find(([name]) => name === 'chicken')
  await move(bot, x, y, z)
  const prey = bot.nearestEntity(({ name }) => name === 'chicken')
  await move(bot, 8.5, 64, 8.5)
  for (let i = 0; i < 5; i++) {
    bot.attack(prey)
    await bot.waitForTicks(11)
  }
  return Boolean(bot.entities[prey.id])
}

module.exports = { seeAnimals, hunt, hitFromAfar }
