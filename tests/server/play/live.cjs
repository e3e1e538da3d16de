'use strict'
// Eating, being hurt, dying, coming back.

async function eat ({ fresh, give, item, agreed, admin, until }) {
  const bot = await fresh('alice')
  await give(bot, { bread: 2 })
  await admin('feed', { player: 'alice', level: 10 })
  await until(() => bot.food === 10)
  await bot.equip(item(bot, 'bread'), 'hand')
  await bot.consume()
  await until(() => bot.food === 15)
  return { food: bot.food, end: await agreed(bot) }
}

async function eatStew ({ fresh, give, item, agreed, admin, until }) {
  const bot = await fresh('alice')
  await give(bot, { mushroom_stew: 1 })
  await admin('feed', { player: 'alice', level: 5 })
  await until(() => bot.food === 5)
  await bot.equip(item(bot, 'mushroom_stew'), 'hand')
  await bot.consume()
  await until(() => bot.food === 11)
  return await agreed(bot)
}

async function hurt ({ fresh, admin, until }) {
  const bot = await fresh('alice')
  await admin('health', { player: 'alice', level: 20 })
  await admin('damage', { player: 'alice', amount: 6 })
  await until(() => bot.health === 14)
  return bot.health
}

async function hurtInSight ({ fresh, admin, until }) {
  const [alice, bob] = [await fresh('alice', 7.5, 7.5), await fresh('bob', 3.5, 3.5)]
  const seen = bot => name => bot.players[name]?.entity?.metadata?.[8]
  await until(() => seen(bob)('alice') === 20 && seen(alice)('bob') === 20, 'both are well')
  await admin('damage', { player: 'alice', amount: 6 })
  await until(() => seen(bob)('alice') === 14, 'alice is hurt')
  alice.setControlState('sneak', true)
  await until(() => bob.players.alice.entity.metadata[0] === 2, 'alice sneaks')
  return { alice: seen(bob)('alice'), bob: seen(alice)('bob') }
}

async function die ({ fresh, give, admin, until, agreed, once }) {
  const [alice, bob] = [await fresh('alice', 13.5, 13.5), await fresh('bob', 3.5, 3.5)]
  await admin('feed', { player: 'alice', level: 7 })
  await give(alice, { diamond: 3, oak_log: 5 })
  const died = once(alice, 'death')
  const [back, dead] = [once(alice, 'respawn'), once(bob, 'entityDead')]
  await admin('kill', { player: 'alice' })
  await Promise.all([died, back, dead])
  await until(() => alice.health === 20)
  const drops = await admin('drops')
  await until(() => alice.entity.position.distanceTo(alice.spawnPoint) < 3, 'back at spawn')
  const seen = await until(() => bob.players.alice.entity?.position.x < 10 && bob.players.alice.entity.position)
  return {
    dropped: drops.map(([name, count]) => [name, count]).sort(),
    end: await agreed(alice),
    food: alice.food,
    at: [alice.entity.position.x, alice.entity.position.z],
    seen: [seen.x, seen.z]
  }
}

async function fetchOwnDrops ({ fresh, give, move, admin, until, agreed, once }) {
  const alice = await fresh('alice', 13.5, 13.5)
  await give(alice, { emerald: 2 })
  const back = once(alice, 'spawn')
  await admin('kill', { player: 'alice' })
  await back
  await move(alice, 13.5, 64, 13.5)
  await until(() => alice.inventory.items().length === 1)
  return await agreed(alice)
}

/** What one has of ten levels after death, and what another finds there. */
async function experienceLost ({ fresh, move, admin, until, once }) {
  const [alice, bob] = [await fresh('alice', 13.5, 13.5), await fresh('bob', 3.5, 3.5)]
  alice.chat('/xp 10L')
  await until(() => alice.experience.level === 10, 'ten levels')
  const [orb, back] = [once(bob, 'entitySpawn'), once(alice, 'spawn')]
  await admin('kill', { player: 'alice' })
  const [{ name, count }] = await orb
  await back
  await until(() => alice.experience.points === 0 && alice.experience.level === 0, 'none is left')
  const before = bob.experience.points
  await move(bob, 13.5, 64, 13.5)
  await until(() => bob.experience.points > before && !Object.values(bob.entities).some(one => one.name === name), 'it is taken')
  return { name, count, found: bob.experience.points - before }
}

module.exports = { experienceLost, eat, eatStew, hurt, hurtInSight, die, fetchOwnDrops }
