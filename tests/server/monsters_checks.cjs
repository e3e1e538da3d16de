'use strict'
// Run by test_checks_in_node.py: figures of armour, blows and explosions against those of
// minecraft.wiki, what a blow does, and when a skeleton shoots.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const { through } = require(path.join(SERVER, 'armour.cjs'))
const { isSkyDark } = require(path.join(SERVER, 'nights.cjs'))
const prey = require(path.join(SERVER, 'prey.cjs'))
const { damageOf, sweeps } = require(path.join(SERVER, 'blows.cjs'))
const explosions = require(path.join(SERVER, 'explosions.cjs'))
const flyingArrows = require(path.join(SERVER, 'arrows.cjs'))
const droppedItems = require(path.join(SERVER, 'dropped.cjs'))
const dying = require(path.join(SERVER, 'death.cjs'))
const monsters = require(path.join(SERVER, 'monsters.cjs'))
const orbs = require(path.join(SERVER, 'orbs.cjs'))
const skeleton = require(path.join(SERVER, 'skeleton.cjs'))
const wearing = require(path.join(SERVER, 'wear.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { Vec3 } = load('vec3')

const AIR = { name: 'air', type: 0, boundingBox: 'empty', transparent: true, shapes: [] }
const STONE = { name: 'obsidian', type: 1, boundingBox: 'block', transparent: false, shapes: [[0, 0, 0, 1, 1, 1]] }
const worldOf = blockAt => ({ getBlock: async at => blockAt(at) ?? AIR })

test('armour and toughness keep off what they should', () => {
  const rows = [[10, 0, 0, 10], [10, 15, 0, 6], [10, 20, 8, 3], [40, 20, 8, 24], [40, 20, 0, 33.6], [1, 7, 0, 0.74]]
  for (const [damage, points, toughness, left] of rows) assert.strictEqual(Number(through(damage, points, toughness).toFixed(2)), left)
})

test('a blow too soon is weak, and no sweep', () => {
  const sword = { name: 'iron_sword' }
  assert.strictEqual(damageOf(sword, 100), 6)
  assert.ok(damageOf(sword, 2) < 2)
  assert.deepStrictEqual([damageOf({ name: 'stone_pickaxe' }), damageOf({ name: 'bread' }), damageOf(null)], [3, 1, 1])
  assert.deepStrictEqual([sweeps(sword, 100), sweeps(sword, 8), sweeps({ name: 'iron_axe' }, 100), sweeps(null, 100)], [true, false, false, false])
})

/** Uses of what is in hand that a blow which lands takes. */
function wornBy (name, gameMode = 0) {
  const [serv, player] = [new EventEmitter(), Object.assign(new EventEmitter(), { gameMode, inventory: { slots: { 36: name && { name, maxDurability: 250 } } } })]
  const inventory = { held: () => player.inventory.slots[36], heldSlot: () => 36, set: (_, slot, item) => { player.inventory.slots[slot] = item } }
  wearing(serv, { portion: item => ({ ...item }) }, inventory)
  serv.emit('newPlayer', player)
  player.emit('landed')
  return player.inventory.slots[36]?.durabilityUsed ?? 0
}

test('a blow wears a sword once, a tool twice, and nothing else', () => {
  const rows = [['iron_sword', 1], ['trident', 1], ['wooden_axe', 2], ['iron_pickaxe', 2], ['stone_shovel', 2], ['iron_hoe', 2], ['bow', 0], ['shield', 0]]
  for (const [name, uses] of rows) assert.strictEqual(wornBy(name), uses, name)
  assert.strictEqual(wornBy('iron_sword', 1), 0)
  assert.strictEqual(wornBy(undefined), 0)
})

const noop = () => {}

function somebody (facts) {
  const client = Object.assign(new EventEmitter(), { write: noop })
  const player = Object.assign(new EventEmitter(), { health: 20, gameMode: 0, position: new Vec3(0, 64, 0), _client: client, _writeOthersNearby: noop, ...facts })
  player.updateHealth = health => { player.health = health }
  return player
}

/** Monsters of a server without a network; `put` gives the monster itself. */
function den (facts = {}) {
  const kinds = ['zombie', 'spider', 'skeleton', 'creeper', 'drowned']
  const registry = { entitiesByName: Object.fromEntries([...kinds, 'item'].map((name, id) => [name, { id }])), blocksArray: [] }
  const serv = Object.assign(new EventEmitter(), { registry, difficulty: 2, tickCount: 100, time: 18000, players: [], entities: {}, overworld: worldOf(() => null), ...facts })
  serv.initEntity = (type, kind, world, position) => {
    const id = Object.keys(serv.entities).length
    const methods = { updateAndSpawn: noop, destroy: noop, setEquipment: noop, setAndUpdateMetadata: noop, sendPosition: noop, _writeOthersNearby: noop }
    return (serv.entities[id] = { id, type, world, position, ...methods })
  }
  const left = []
  const items = { named: (name, count) => [name, count] }
  const dropped = { ...droppedItems(serv, items), drop: (world, at, item) => left.push(item) }
  const { put } = monsters(serv, { strike: noop, items, inventory: {}, dropped, crumble: noop, arrows: {}, random: () => 0.5, ...facts })
  return { serv, left, put: name => serv.entities[put(name, new Vec3(0.5, 64, 0.5), false)] }
}

/** The health of a body after blows of [damage, ticks since the blow before]. */
function after (serv, body, blows) {
  return blows.map(([damage, ticks]) => {
    serv.tickCount += ticks
    body.takeDamage({ damage, by: { position: new Vec3(0, 64, 3) } })
    return body.health
  })
}

const BLOWS = [[[4, 0], 16], [[4, 5], 16], [[6, 2], 14], [[5, 2], 14], [[4, 1], 10]]

test('a monster takes within half a second only what a blow is worse by, and is not pushed again', () => {
  const { serv, put } = den()
  const zombie = put('zombie')
  assert.deepStrictEqual(after(serv, zombie, [[4, 0]]), [16])
  assert.ok(zombie.pushed)
  zombie.pushed = null
  assert.deepStrictEqual(after(serv, zombie, BLOWS.slice(1, 4).map(([blow]) => blow)), BLOWS.slice(1, 4).map(([, health]) => health))
  assert.strictEqual(zombie.pushed, null)
  assert.deepStrictEqual(after(serv, zombie, [[4, 1]]), [10])
})

test('a player takes within half a second only what a blow of another is worse by', () => {
  const serv = Object.assign(new EventEmitter(), { tickCount: 100, difficulty: 0 })
  const player = somebody()
  dying(serv, {}, { blocks: () => false, through: (_, amount) => amount })
  serv.emit('newPlayer', player)
  assert.deepStrictEqual(after(serv, player, BLOWS.map(([blow]) => blow)), BLOWS.map(([, health]) => health))
})

// How many of each thing at the least and the most, what else there is for who slays it, and how often.
const LEFT = {
  zombie: [{ rotten_flesh: [0, 2] }, ['iron_ingot', 'carrot', 'potato'], 0.025],
  spider: [{ string: [0, 2] }, ['spider_eye'], 1 / 3],
  skeleton: [{ bone: [0, 2], arrow: [0, 2] }, [], 0],
  creeper: [{ gunpowder: [0, 2] }, [], 0],
  drowned: [{ rotten_flesh: [0, 2] }, ['gold_ingot'], 0.05]
}

/** What dies leaves where each draw of chance is the next of some, and then 0. */
function leftBy (name, draws, slayer) {
  const drawn = [...draws]
  const { put, left } = den({ random: () => drawn.shift() ?? 0 })
  put(name).takeDamage({ damage: 20, by: slayer })
  return left
}

for (const [name, [always, rare, chance]] of Object.entries(LEFT)) {
  const things = Object.entries(always)
  const draws = things.map(() => 0.999)

  test(`a ${name} leaves what it should`, () => {
    assert.deepStrictEqual(leftBy(name, things.map(() => 0)), [])
    assert.deepStrictEqual(leftBy(name, draws), things.map(([item, [, most]]) => [item, most]))
    assert.deepStrictEqual(leftBy(name, things.map(() => 0.34)), things.map(([item]) => [item, 1]))
  })

  test(`a ${name} leaves rare things only to who slays it, and so often`, () => {
    const slayer = { position: new Vec3(0, 64, 3), xp: 0, setXp: noop }
    const more = (roll, pick) => leftBy(name, [...draws, roll, pick], slayer).slice(things.length)
    for (const [i, item] of rare.entries()) {
      assert.deepStrictEqual(more(chance - 0.001, (i + 0.5) / rare.length), [[item, 1]])
      assert.deepStrictEqual(more(chance, (i + 0.5) / rare.length), [])
    }
    assert.deepStrictEqual(more(0, 0).length, rare.length ? 1 : 0)
    assert.strictEqual(leftBy(name, [...draws, 0, 0]).length, things.length)
  })
}

const GLASS = { ...STONE, name: 'glass', transparent: true }

/** How a monster comes in some seconds to a player over there, of a wall of glass four high between. */
async function overWall (t, name, { seconds = 8, goal = new Vec3(0.5, 64, 6.5), gameMode = 0, blockAt = ({ y, z }) => Math.floor(z) === 3 && y < 68 ? GLASS : null } = {}) {
  t.mock.timers.enable({ apis: ['Date'], now: 1 })
  t.mock.method(Math, 'random', () => 0.99) // it does not stroll
  const world = worldOf(at => at.y < 64 ? STONE : blockAt(at))
  const player = { world, listed: true, health: 20, gameMode, position: goal }
  const { put } = den({ overworld: world, players: [player] })
  const monster = Object.assign(put(name), { onGround: true })
  const way = []
  for (let i = 0; i < seconds * 20; i++) {
    t.mock.timers.tick(50)
    Object.assign(monster, await monster.calculatePhysics(0.05))
    way.push(monster.position.clone())
  }
  return { monster, way, highest: Math.max(...way.map(({ y }) => y)) }
}

test('a spider that hunts climbs a wall and down behind it, no faster than it can', async t => {
  const { monster, way, highest } = await overWall(t, 'spider')
  assert.ok(monster.position.distanceTo(new Vec3(0.5, 64, 6.5)) <= 2.14, String(monster.position))
  assert.ok(highest >= 67 && highest <= 68)
  const up = way.filter(({ y, z }) => y > 64.05 && y < 67 && z < 3)
  assert.ok(up.length >= 20 * 2.8 / 2.35, `${up.length} ticks`)
})

test('no other monster climbs, nor does a spider that hunts nobody', async t => {
  assert.strictEqual((await overWall(t, 'zombie')).highest, 64)
  t.mock.timers.reset()
  assert.strictEqual((await overWall(t, 'spider', { gameMode: 1 })).highest, 64)
})

test('a spider holds on to a tower below whom it hunts, and falls from it once they are gone', async t => {
  const tower = ({ x, y, z }) => Math.floor(x) === 0 && Math.floor(z) === 4 && y < 70 ? STONE : null
  const { monster, way } = await overWall(t, 'spider', { goal: new Vec3(0.5, 70, 4.5), blockAt: tower })
  const [last] = way.slice(-1)
  assert.ok(last.y > 67 && way.slice(-20).every(({ y }) => y === last.y), String(last))
  monster.prey.health = 0
  for (let i = 0; i < 60; i++) {
    t.mock.timers.tick(50)
    Object.assign(monster, await monster.calculatePhysics(0.05))
  }
  assert.strictEqual(monster.position.y, 64)
})

test('the dead leave seven points a level, a hundred at most, and have none', () => {
  for (const [level, points] of [[0, 0], [1, 7], [14, 98], [15, 100], [30, 100]]) {
    const left = []
    const serv = Object.assign(new EventEmitter(), { tickCount: 100, registry: { entitiesByName: { experience_orb: { id: 1 } } } })
    serv.initEntity = () => ({ updateAndSpawn () { left.push(this.points) } })
    const [chat, windows] = [{ nameOf: noop, broadcast: noop }, { close: noop }]
    const { kill } = dying(serv, chat, { windows, orbs: orbs(serv, {}), blocks: () => false, through: (_, amount) => amount })
    const player = somebody({ level, xp: 999, inventory: { slots: [] }, setXp: xp => { player.xp = xp } })
    kill(player)
    assert.deepStrictEqual([left, player.xp], [points ? [points] : [], 0], level)
  }
})

/** What an explosion of a creeper does to somebody so many blocks away. */
async function harmAt (away, { difficulty = 2, blockAt = () => null } = {}) {
  const world = worldOf(blockAt)
  const told = []
  const player = { type: 'player', world, listed: true, position: new Vec3(0.5, 64, 0.5 + away), _client: { write: (name, packet) => told.push(packet) } }
  const serv = { difficulty, players: [player], entities: { 1: player }, registry: { blocksByName: { obsidian: { resistance: 1200 } } } }
  const blows = []
  const strike = (_, damage) => blows.push(damage)
  await explosions(serv, { strike, crumble: async () => {} })(world, new Vec3(0.5, 64, 0.5), 3, { key: 'death.attack.explosion.player' })
  return { blow: blows[0] ?? 0, push: told[0].playerMotionZ }
}

test('an explosion harms by distance and difficulty, and pushes away', async () => {
  assert.deepStrictEqual(await Promise.all([0, 3, 5, 7].map(async away => (await harmAt(away)).blow)), [43, 16, 5, 0])
  assert.strictEqual((await harmAt(0, { difficulty: 1 })).blow, 22.5)
  assert.strictEqual((await harmAt(0, { difficulty: 3 })).blow, 64.5)
  assert.ok((await harmAt(3)).push > 0.3)
})

test('a wall keeps an explosion off', async () => {
  const blockAt = ({ z }) => z === 2 ? STONE : null
  assert.deepStrictEqual(await harmAt(4, { blockAt }), { blow: 1, push: 0 })
})

test('nothing is seen past the corner between two blocks', async () => {
  const hole = worldOf(({ x, z }) => (x === 1 && z === 0) || (x === 0 && z === 1) ? STONE : null)
  const inside = new Vec3(0.5, 65.62, 0.5)
  for (const [x, z] of [[8.5, 11.9], [8.5, 8.4], [3.2, 4.7], [1.5, 1.6], [12.5, 9.5]]) {
    assert.ok(!await prey.isClear(hole, new Vec3(x, 66.6, z), inside), `${x} ${z}`)
  }
  assert.ok(await prey.isClear(hole, new Vec3(-4.5, 66.6, -5.5), inside))
})

const BLOWS_OF = { zombie: [2.5, 3, 4.5], spider: [2, 2, 3], drowned: [2.5, 3, 4.5] } // easy, normal, hard

for (const [name, blows] of Object.entries(BLOWS_OF)) {
  test(`a ${name} strikes by ${blows} on easy, normal and hard`, async () => {
    const struck = []
    for (const difficulty of [1, 2, 3]) {
      const world = worldOf(({ y }) => y < 64 ? STONE : null)
      const player = { world, listed: true, health: 20, gameMode: 0, position: new Vec3(0.5, 64, 1.5) }
      const strike = (one, damage, { key }) => struck.push([one === player, damage, key])
      const { put } = den({ difficulty, overworld: world, players: [player], strike })
      const monster = Object.assign(put(name), { onGround: true })
      for (let i = 0; i < 3; i++) await monster.calculatePhysics(0.05) // it rests a second between two
    }
    assert.deepStrictEqual(struck, blows.map(damage => [true, damage, 'death.attack.mob']))
  })
}

// Chance, and what an arrow of a skeleton takes by it on easy, normal and hard:
// 1.6 blocks a tick, by 2 and 0.11 for each difficulty and a quarter of how far chance goes.
for (const [chance, damages] of [[0, [4, 4, 4]], [0.83, [4, 4, 5]], [0.85, [4, 5, 5]]]) {
  test(`an arrow takes ${damages} on easy, normal and hard, where chance is ${chance}`, async t => {
    t.mock.method(Math, 'random', () => chance)
    const struck = []
    for (const difficulty of [1, 2, 3]) {
      const world = worldOf(() => null)
      const player = { type: 'player', world, listed: true, health: 20, gameMode: 0, position: new Vec3(0.5, 64, 1.8) }
      const registry = { entitiesByName: { arrow: { id: 1 } } }
      let arrow
      const initEntity = (type, kind, world, position) => (arrow = { world, position, destroy: noop, updateAndSpawn: noop })
      const { shoot } = flyingArrows({ difficulty, registry, players: [player], initEntity }, { strike: (_, damage) => struck.push(damage), dropped: { lying: new Set() } })
      shoot({ id: 1, isMonster: true, world, position: new Vec3(0.5, 64, 0.5) }, 1.74, player)
      await arrow.calculatePhysics(0.05)
    }
    assert.deepStrictEqual(struck, damages)
  })
}

/** How often a skeleton shoots in six seconds at somebody so many blocks away. */
async function shots (away, blockAt = () => null) {
  const world = worldOf(at => blockAt(at) ?? (at.y < 64 ? STONE : null))
  const player = { world, listed: true, health: 20, gameMode: 0, position: new Vec3(0.5, 64, 0.5 + away) }
  let count = 0
  const { act } = skeleton({ difficulty: 2, time: 18000, players: [player] }, { arrows: { shoot: () => count++ } })
  const self = { world, position: new Vec3(0.5, 64, 0.5), strikesAt: 0, thinksAt: 0, way: [], setAndUpdateMetadata: () => {} }
  for (let now = 1; now <= 6001; now += 50) await act(self, now)
  return { count, goes: self.way.length ? Math.sign(self.way.at(-1).z - self.position.z) : 0 }
}

test('a skeleton shoots every third second at whom it sees, and keeps its distance', async t => {
  t.mock.method(Math, 'random', () => 1) // it does not stroll
  assert.deepStrictEqual(await shots(10), { count: 2, goes: 0 })
  assert.deepStrictEqual(await shots(5), { count: 2, goes: -1 })
  assert.deepStrictEqual(await shots(20), { count: 0, goes: 0 })
  assert.deepStrictEqual(await shots(10, ({ z, y }) => z === 5 && y < 70 ? STONE : null), { count: 0, goes: 0 })
})

test('monsters come under the open sky from when on it is dark enough', () => {
  const rows = [[12542, false], [13187, false], [13188, true], [22811, true], [22812, false], [24000 + 18000, true]]
  for (const [time, isSo] of rows) assert.strictEqual(isSkyDark(time), isSo, time)
})

test('a monster forgets whom it has not seen for three seconds', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  let isWalled = false
  const world = { getBlock: async () => ({ boundingBox: isWalled ? 'block' : 'empty', transparent: false }) }
  const player = { listed: true, health: 20, gameMode: 0, world, position: new Vec3(8, 64, 0) }
  const monster = { world, position: new Vec3(0, 64, 0), way: [] }
  const { look } = prey({ players: [player], time: 14000 }, { follows: 35, eyes: 1.74 })
  const seen = []
  for (const now of [0, 2900, 3100]) {
    t.mock.timers.setTime(now)
    await look(monster)
    seen.push([monster.prey, monster.isSeen, monster.way.length])
    isWalled = true
    monster.way = [player.position]
  }
  assert.deepStrictEqual(seen, [[player, true, 0], [player, false, 1], [null, false, 0]])
})
