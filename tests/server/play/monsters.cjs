'use strict'
// Monsters, and what keeps them off: armour, shield, sword.

const { inDanger, lowest, roof } = require('./harm.cjs')

const SUIT = { iron_helmet: 'head', iron_chestplate: 'torso', iron_leggings: 'legs', iron_boots: 'feet' }

/** A player in the sky, on ground that no explosion breaks. */
async function onObsidian (world, name) {
  const alice = await world.fresh(name)
  for (let x = 5; x <= 11; x++) for (let z = 5; z <= 13; z++) await world.put(alice, x, 89, z, 'obsidian')
  await world.move(alice, 8.5, 90, 8.5)
  return alice
}

async function armourHelps (world) {
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await world.give(alice, Object.fromEntries(Object.keys(SUIT).map(piece => [piece, 1])))
    for (const [piece, place] of Object.entries(SUIT)) await alice.equip(world.item(alice, piece), place)
    await roof(world, alice)
    await world.admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 10.5, young: false })
    await world.until(() => seen.health < 20, 'a blow')
    const worn = [5, 6, 7, 8].map(slot => alice.inventory.slots[slot]?.durabilityUsed)
    return { lost: Number((20 - seen.health).toFixed(2)), worn }
  })
}

async function shieldBlocks (world) {
  const [alice, bob] = [await world.fresh('alice'), await world.fresh('bob', 3.5, 3.5)]
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await roof(world, alice)
    await world.give(alice, { shield: 1 })
    await alice.equip(world.item(alice, 'shield'), 'off-hand')
    await alice.lookAt(alice.entity.position.offset(0, 1.6, 5), true)
    alice.activateItem(true)
    await world.until(() => bob.players.alice.entity.metadata[7] === 3, 'raised')
    await world.admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 10.5, young: false })
    await world.until(() => alice.inventory.slots[45]?.durabilityUsed > 0, 'it takes a blow')
    const blocked = { health: seen.health, uses: alice.inventory.slots[45].durabilityUsed }
    alice.deactivateItem()
    await world.until(() => !bob.players.alice.entity.metadata[7], 'lowered')
    await world.until(() => seen.health < 20, 'a blow')
    return { ...blocked, then: 20 - seen.health }
  })
}

async function sweepTwo (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    await roof(world, alice)
    await world.give(alice, { iron_sword: 1 })
    await alice.equip(world.item(alice, 'iron_sword'), 'hand')
    const [id] = [await admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 10.5, young: false }),
      await admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 10.5, young: false })]
    await until(() => alice.entities[id], 'zombies')
    return until(async () => {
      alice.attack(alice.entities[id])
      await alice.waitForTicks(13)
      const [struck, beside] = (await admin('monsters')).map(([, , health]) => health)
      return struck < 20 && beside === 19
    }, 'both are struck')
  })
}

/** What the tools in hand have lost by blows at a monster, an animal and a player. */
async function blowsWear (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  await world.fresh('bob', 8.5, 10.5)
  const worn = async name => {
    await alice.waitForTicks(5)
    return alice.inventory.items().find(item => item.name === name).durabilityUsed ?? 0
  }
  const strike = async (target, weapon) => {
    await alice.equip(world.item(alice, weapon), 'hand')
    await alice.waitForTicks(20)
    alice.attack(target)
    return worn(weapon)
  }
  return inDanger(world, async () => {
    await roof(world, alice)
    await world.give(alice, { iron_sword: 1, iron_axe: 1 })
    const zombie = await admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 12.5, young: false })
    await until(() => alice.entities[zombie], 'zombie')
    const monster = await strike(alice.entities[zombie], 'iron_sword')
    alice.attack(alice.entities[zombie]) // within half a second, and weaker: it does nothing
    const again = await worn('iron_sword')
    await admin('animal', { kind: 'cow', x: 6.5, y: 64, z: 7.5 })
    const cow = await until(() => Object.values(alice.entities).find(({ name, position }) => name === 'cow' && position.distanceTo(alice.entity.position) < 4), 'cow')
    const animal = await strike(cow, 'iron_axe')
    const player = await strike(alice.players.bob.entity, 'iron_sword')
    await admin('gamemode', { player: 'alice', mode: 1 })
    const creative = await strike(alice.players.bob.entity, 'iron_sword')
    return { monster, again, animal, player, creative }
  })
}

async function youngZombie (world) {
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    const id = await world.admin('summon', { kind: 'zombie', x: 8.5, y: 64, z: 12.5, young: true })
    await world.until(() => alice.entities[id], 'zombie')
    return world.until(() => alice.entities[id].metadata[15], 'young')
  })
}

async function skeletonShoots (world) {
  const { admin, until } = world
  const [alice, bob] = [await world.fresh('alice'), await world.fresh('bob', 2.5, 2.5)]
  await admin('gamemode', { player: 'bob', mode: 1 })
  return inDanger(world, async () => {
    await roof(world, alice)
    const seen = lowest(alice)
    const id = await admin('summon', { kind: 'skeleton', x: 8.5, y: 64, z: 12.5 })
    const skeleton = await until(() => alice.entities[id], 'skeleton')
    const holds = skeleton.equipment[0]?.name
    let aims = false
    let arrow = false
    await until(() => {
      aims ||= Boolean(skeleton.metadata[7])
      arrow ||= Object.values(alice.entities).some(({ name }) => name === 'arrow')
      return seen.health < 20
    }, 'an arrow hits', 20000)
    const hit = 20 - seen.health
    await until(() => skeleton.position.distanceTo(alice.entity.position) > 6, 'it keeps away')
    await admin('health', { player: 'alice', level: 1 })
    await admin('feed', { player: 'alice', level: 17 })
    const [told] = await world.once(bob, 'messagestr', 30000)
    return { holds, aims, arrow, hit, told }
  })
}

const arrowsOf = bot => bot.inventory.count(bot.registry.itemsByName.arrow.id, null)

/** Shoot an arrow after so many ticks of drawing, at where a creature has strolled meanwhile. */
async function shootsOnce (world, alice, ticks, creature) {
  const before = arrowsOf(alice)
  alice.activateItem()
  await alice.waitForTicks(ticks)
  if (creature) await alice.lookAt(creature.position.offset(0, 0.7, 0), true)
  await alice.waitForTicks(1) // so that her gaze is told
  alice.deactivateItem()
  await world.until(() => arrowsOf(alice) < before, 'an arrow is shot')
}

async function playerShoots (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  await admin('time', { value: 1000 })
  return inDanger(world, async () => {
    await roof(world, alice)
    await world.give(alice, { bow: 1, arrow: 12 })
    await alice.equip(world.item(alice, 'bow'), 'hand')
    const id = await admin('summon', { kind: 'spider', x: 8.5, y: 64, z: 13.5 })
    const spider = await until(() => alice.entities[id], 'a spider, calm by day')
    const struck = async () => (await admin('monsters')).map(([, , health]) => health).find(health => health < 16)
    let shots = 0
    const left = await until(async () => { // it strolls: some miss
      await shootsOnce(world, alice, 22, spider)
      await alice.waitForTicks(10) // more than an arrow flies
      shots++
      return struck()
    }, 'it hits')
    const worn = alice.heldItem.durabilityUsed
    await admin('difficulty', { level: 'peaceful' })
    await until(async () => (await admin('drops')).length === shots - 1, 'those that missed lie there')
    const kept = arrowsOf(alice)
    await alice.look(0, -Math.PI / 2, true)
    await shootsOnce(world, alice, 8)
    await until(async () => (await admin('drops')).length === shots, 'it lies there')
    await until(() => arrowsOf(alice) === kept, 'it is picked up')
    return { took: 16 - left, wornAShot: worn / shots }
  })
}

async function creeperGoesOff (world) {
  const { admin, until } = world
  const [bob, alice] = [await world.fresh('bob', 2.5, 2.5), await onObsidian(world, 'alice')]
  return inDanger(world, async () => {
    await world.put(alice, 10, 90, 12, 'glass')
    await world.put(alice, 11, 90, 10, 'obsidian')
    const id = await admin('summon', { kind: 'creeper', x: 8.5, y: 90, z: 11 })
    const creeper = await until(() => alice.entities[id], 'creeper')
    const swells = until(() => creeper.metadata[15] === 1, 'it swells')
    const boom = world.once(alice._client, 'explosion')
    const told = world.once(bob, 'messagestr')
    await swells
    const [{ playerMotionZ }] = await boom
    const broken = await until(() => alice.blockAt(new world.Vec3(10, 90, 12))?.name === 'air', 'glass is broken')
    const kept = alice.blockAt(new world.Vec3(11, 90, 10)).name
    return { isThrown: playerMotionZ < 0, broken, kept, told: (await told)[0], left: await admin('monsters') }
  })
}

async function creeperLosesSight (world) {
  const { admin, until } = world
  const alice = await onObsidian(world, 'alice')
  return inDanger(world, async () => {
    const seen = lowest(alice)
    const id = await admin('summon', { kind: 'creeper', x: 8.5, y: 90, z: 11 })
    const creeper = await until(() => alice.entities[id], 'creeper')
    await until(() => creeper.metadata[15] === 1, 'it swells')
    await world.move(alice, 8.5, 64, 8.5)
    await until(() => creeper.metadata[15] === -1, 'it calms down')
    return { health: seen.health, left: (await admin('monsters')).length }
  })
}

async function lavaBurnsThings (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice', 2.5, 2.5)
  const lying = async () => (await admin('drops')).map(([name]) => name)
  return inDanger(world, async () => {
    await world.give(alice, { dirt: 1, netherite_scrap: 1 })
    for (const stack of alice.inventory.items()) await alice.tossStack(stack)
    await until(async () => (await admin('drops')).length === 2, 'they lie there')
    const places = (await admin('drops')).map(([, , place]) => place.map(Math.floor))
    for (const place of places) await world.put(alice, ...place, 'lava')
    await until(async () => !(await lying()).includes('dirt'), 'it burns')
    return lying()
  })
}

/** A pool beside spawn, two deep, and a place in it. */
async function pool (world, bot) {
  const cells = Array.from({ length: 35 }, (_, i) => [6 + i % 5, 9 + Math.floor(i / 5)])
  const isRim = ([x, z]) => x === 6 || x === 10 || z === 9 || z === 15
  for (const y of [64, 65]) await Promise.all(cells.filter(isRim).map(([x, z]) => world.put(bot, x, y, z, 'dirt')))
  for (const y of [64, 65]) await Promise.all(cells.filter(cell => !isRim(cell)).map(([x, z]) => world.put(bot, x, y, z, 'water')))
  return { x: 8.5, y: 64, z: 13.5 }
}

async function drownedHunts (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  const place = await pool(world, alice)
  return inDanger(world, async () => {
    const seen = lowest(alice)
    await admin('time', { value: 1000 })
    const id = await admin('summon', { kind: 'drowned', ...place, young: false })
    const drowned = await until(() => alice.entities[id], 'drowned')
    await alice.waitForTicks(40)
    const byDay = [seen.health, (await admin('monsters'))[0][2]] // it leaves her alone and does not burn
    await admin('teleport', { player: 'alice', x: 8.5, y: 64, z: 10.5 })
    await until(() => seen.health < 20, 'it swims to who is in the water')
    const blow = 20 - seen.health
    await admin('teleport', { player: 'alice', x: 8.5, y: 64, z: 6.5 })
    await until(() => alice.entity.position.z < 7, 'out')
    await admin('time', { value: 18000 })
    await until(() => drowned.position.z < 9, 'it comes out at night')
    return { byDay, blow }
  })
}

async function drownedOnLand (world) {
  const { admin, until } = world
  const alice = await world.fresh('alice')
  return inDanger(world, async () => {
    await admin('time', { value: 1000 })
    await admin('summon', { kind: 'drowned', x: 8.5, y: 64, z: 16.5, young: false })
    await until(async () => (await admin('monsters')).some(([, , health]) => health < 20), 'it burns')
    const inWater = ([, at]) => alice.blockAt(new world.Vec3(...at))?.name === 'water'
    await pool(world, alice)
    await world.put(alice, 8, 64, 16, 'dirt') // a step up
    await admin('summon', { kind: 'drowned', x: 8.5, y: 64, z: 17.5, young: false })
    return until(async () => (await admin('monsters')).some(inWater), 'it goes into the water')
  })
}

module.exports = { drownedHunts, drownedOnLand, armourHelps, shieldBlocks, blowsWear, sweepTwo, youngZombie, skeletonShoots, playerShoots, creeperGoesOff, creeperLosesSight, lavaBurnsThings }
