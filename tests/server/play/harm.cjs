'use strict'
// A world that is not peaceful: what it does to players.

async function inDanger ({ admin }, play) {
  await admin('difficulty', { level: 'normal' })
  try {
    return await play()
  } finally {
    await admin('difficulty', { level: 'peaceful' })
  }
}

/** The lowest health a client is told of from now on. */
function lowest (bot) {
  const seen = { health: bot.health }
  bot.on('health', () => { seen.health = Math.min(seen.health, bot.health) })
  return seen
}

async function fall (world) {
  const alice = await world.fresh('alice')
  const seen = lowest(alice)
  const drop = async blocks => {
    await world.admin('teleport', { player: 'alice', x: 8.5, y: 64 + blocks, z: 8.5 })
    await world.until(() => alice.entity.position.y > 64 + blocks / 2, 'up')
    await world.until(() => alice.entity.onGround && alice.entity.position.y < 64.5, 'down')
  }
  await drop(10)
  const peaceful = seen.health
  return inDanger(world, async () => {
    await drop(3)
    const low = seen.health
    await drop(10)
    await world.until(() => seen.health < 20, 'hurt')
    return { peaceful, low, high: seen.health }
  })
}

async function fallToDeath (world) {
  const [alice, bob] = [await world.fresh('alice'), await world.fresh('bob', 3.5, 3.5)]
  return inDanger(world, async () => {
    const told = world.once(bob, 'messagestr')
    await world.admin('teleport', { player: 'alice', x: 8.5, y: 90, z: 8.5 })
    await world.once(alice, 'death')
    return (await told)[0]
  })
}

async function drownInLava (world) {
  const [alice, bob] = [await world.fresh('alice', 12.5, 12.5), await world.fresh('bob', 3.5, 3.5)]
  return inDanger(world, async () => {
    const [told, died] = [world.once(bob, 'messagestr', 20000), world.once(alice, 'death', 20000)]
    const hurt = world.once(alice, 'health')
    await world.put(alice, 12, 64, 12, 'lava')
    await hurt
    const first = alice.health
    await world.until(() => alice.entity.metadata[0] & 1 && bob.players.alice.entity.metadata[0] & 1, 'on fire')
    await died
    await world.until(() => alice.health === 20 && !(alice.entity.metadata[0] & 1), 'back and no longer on fire')
    return { first, told: (await told)[0] }
  })
}

async function runHungry (world) {
  const alice = await world.fresh('alice', 2.5, 2.5)
  const told = world.once(alice._client, 'difficulty')
  return inDanger(world, async () => {
    await world.admin('health', { player: 'alice', level: 10 })
    await world.until(() => alice.food < 20, 'healing costs food')
    return { food: alice.food, isBetter: alice.health > 10, level: (await told)[0].difficulty }
  })
}

module.exports = { fall, fallToDeath, drownInLava, runHungry }
