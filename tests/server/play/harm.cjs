'use strict'
// A world that is not peaceful: what it does to players.

const NOON = 6000
const HEALING_MS = 20000 // saturation goes first; then a point is healed every 4 s

async function inDanger ({ admin }, play) {
  await admin('difficulty', { level: 'normal' })
  try {
    return await play()
  } finally {
    await admin('difficulty', { level: 'peaceful' })
    await admin('time', { value: NOON })
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
    await world.until(() => alice.food < 20, 'healing costs food', HEALING_MS)
    return { food: alice.food, isBetter: alice.health > 10, level: (await told)[0].difficulty }
  })
}

async function zombieHunts (world) {
  const [alice, bob] = [await world.fresh('alice', 8.5, 8.5), await world.fresh('bob', 2.5, 2.5)]
  return inDanger(world, async () => {
    const wall = []
    for (let x = 6; x <= 10; x++) for (let y = 64; y <= 65; y++) wall.push([x, y, 11])
    for (const place of wall) await world.put(alice, ...place, 'glass')
    await world.admin('health', { player: 'alice', level: 3 })
    await world.admin('feed', { player: 'alice', level: 17 })
    const [told, died] = [world.once(bob, 'messagestr', 20000), world.once(alice, 'death', 20000)]
    await world.admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 14.5, young: false })
    await died
    return (await told)[0]
  })
}

async function roof ({ put }, bot) {
  const cells = Array.from({ length: 42 }, (_, i) => [7 + i % 3, 67, 3 + Math.floor(i / 3)])
  await Promise.all(cells.map(cell => put(bot, ...cell, 'glass')))
}

async function fightZombie (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice', 8.5, 8.5)
  return inDanger(world, async () => {
    await world.give(alice, { iron_sword: 1 })
    await alice.equip(world.item(alice, 'iron_sword'), 'hand')
    await roof(world, alice) // of a blow to what burns only what is worse counts for half a second
    const id = await admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 12.5, young: false })
    await until(() => alice.entities[id], 'zombie')
    const near = () => alice.entities[id].position.distanceTo(alice.entity.position)
    const health = async () => (await admin('monsters'))[0]?.[2]
    await until(() => near() < 3, 'it comes')
    const before = near()
    alice.attack(alice.entities[id])
    await until(async () => (await health()) < 20, 'it is struck')
    const struck = await health()
    await until(() => near() > before + 0.3, 'it is pushed back')
    let blows = 1
    await until(async () => {
      if (!alice.entities[id]) return true
      if (near() < 3.5) {
        alice.attack(alice.entities[id])
        blows++
      }
      await alice.waitForTicks(13)
    }, 'it is killed', 20000)
    return { struck, blows, left: await admin('monsters'), points: (await until(() => alice.experience.points)) }
  })
}

async function leaveInPeace ({ admin, fresh, until }) {
  const alice = await fresh('alice')
  await admin('difficulty', { level: 'hard' })
  const id = await admin('summon', { kind: 'zombie', x: 2.5, y: 64, z: 2.5 })
  await until(() => alice.entities[id], 'zombie')
  await admin('difficulty', { level: 'peaceful' })
  await until(() => !alice.entities[id], 'gone')
  const refused = await admin('summon', { kind: 'zombie', x: 2.5, y: 64, z: 2.5 }).catch(error => error.message)
  return { left: await admin('monsters'), refused }
}

async function aNight (world) {
  const { admin, put, until } = world
  const alice = await world.fresh('alice')
  const walls = [[7, 28], [9, 28], [8, 27], [8, 29]].flatMap(([x, z]) => [[x, 64, z], [x, 65, z]])
  await Promise.all(walls.map(place => put(alice, ...place, 'glass'))) // below a tree it would not burn
  await admin('gamemode', { player: 'alice', mode: 1 }) // nobody hunts her
  return inDanger(world, async () => {
    const above = async () => (await admin('monsters')).filter(([, [, y]]) => y > 55)
    await admin('time', { value: 18000 })
    const come = await until(async () => {
      const seen = await above()
      return seen.length > 2 && seen
    }, 'monsters in the night', 20000)
    const nearest = Math.min(...come.map(([, [x, y, z]]) => Math.hypot(x - 8.5, y - 64, z - 8.5)))
    await admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 28.5 }) // too near to vanish by chance
    const zombies = async () => (await above()).filter(([name]) => name === 'zombie')
    const fenced = async () => (await zombies()).filter(([, [x, , z]]) => Math.hypot(x - 8.5, z - 28.5) < 1)
    const wereWell = (await zombies()).every(([, , health]) => health === 20) && (await fenced()).length === 1
    await admin('time', { value: 1000 })
    await until(async () => !(await fenced()).length, 'the one that cannot leave the sun burns', 30000)
    return { isAway: nearest >= 24, wereWell }
  })
}

async function spiderByDay (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    const seen = lowest(alice)
    const id = await admin('summon', { kind: 'spider', x: 8.5, y: 64, z: 11.5 })
    await until(() => alice.entities[id], 'spider')
    await alice.waitForTicks(60) // long enough to come and bite
    const byDay = seen.health // it may stroll by
    await admin('time', { value: 18000 })
    await until(() => seen.health < 20, 'it bites')
    const bite = 20 - seen.health
    return { byDay, bite }
  })
}

/** What a client and the server hold after each command of one. */
async function setDifficulty (world) {
  const { admin, once } = world
  const alice = await world.fresh('alice')
  try {
    const told = []
    for (const level of ['easy', 'hard']) {
      const packet = once(alice._client, 'difficulty')
      alice.chat(`/difficulty ${level}`)
      const [{ difficulty }] = await packet
      told.push([difficulty, await admin('difficulty')])
    }
    alice.chat('/difficulty deadly')
    await alice.waitForTicks(10)
    return [...told, await admin('difficulty')]
  } finally {
    await admin('difficulty', { level: 'peaceful' })
  }
}

/** Over walls of glass, three high and all around. */
async function spiderClimbs (world) {
  const alice = await world.fresh('alice')
  const sides = Array.from({ length: 7 }, (_, i) => i + 5).flatMap(i => [[i, 5], [i, 11], [5, i], [11, i]])
  await Promise.all(sides.flatMap(([x, z]) => [64, 65, 66].map(y => world.put(alice, x, y, z, 'glass'))))
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await world.admin('time', { value: 18000 })
    await world.admin('summon', { kind: 'spider', x: 8.5, y: 64, z: 14.5 })
    await world.until(() => seen.health < 20, 'it bites')
    return true
  })
}

/** In a room below the ground, at noon. */
async function spiderInTheDark (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  const room = [8, 9, 10, 11].flatMap(z => [[8, 59, z], [8, 60, z]])
  await Promise.all(room.map(place => world.put(alice, ...place, 'air')))
  await world.move(alice, 8.5, 59, 8.5)
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await admin('summon', { kind: 'spider', x: 8.5, y: 59, z: 11.5 })
    await until(() => seen.health < 20, 'it bites')
    return 20 - seen.health
  })
}

module.exports = { inDanger, lowest, roof, setDifficulty, spiderByDay, spiderClimbs, spiderInTheDark, aNight, zombieHunts, fightZombie, leaveInPeace, fall, fallToDeath, drownInLava, runHungry }
