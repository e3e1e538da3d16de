'use strict'
// Run by test_checks_in_node.py: when blows fall, and when a shield is raised.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { strikeDown } = require(path.join(HOST, 'acting', 'striking.cjs'))
const { shoots, whereIn } = require(path.join(HOST, 'signs.cjs'))
const { underFire } = require(path.join(HOST, 'acting', 'shield.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

const { Vec3 } = load('vec3')
const { signal } = new AbortController()
const [HANDS, DRAWS] = [7, 1] // of the metadata in 1.16

function botWith (offHand) {
  const did = []
  return Object.assign(new EventEmitter(), {
    did,
    registry: load('prismarine-registry')('1.16.5'),
    entity: { position: new Vec3(0, 64, 0) },
    entities: {},
    inventory: { slots: { 45: offHand && { name: offHand } } },
    heldItem: { name: 'stone_sword' },
    activateItem: offHand => did.push(offHand && 'raise'),
    deactivateItem: () => did.push('lower'),
    attack: () => did.push('strike'),
    lookAt: async () => did.push('look')
  })
}

function preyOf (strokes) {
  let left = strokes
  return { comeTo: async () => left-- > 0, hasDied: async () => true, isInReach: true, point: new Vec3(0, 64, 2) }
}

for (const [offHand, expected] of [['shield', ['strike', 'raise', 'lower', 'strike']], ['torch', ['strike', 'strike']], [undefined, ['strike', 'strike']]]) {
  test(`two blows with ${offHand ?? 'nothing'} in the off hand`, async () => {
    const bot = botWith(offHand)
    await strikeDown(bot, preyOf(2), {}, { signal, progress: () => {} })
    assert.deepStrictEqual(bot.did, expected)
  })
}

for (const [other, isRun] of [['wolf', true], ['zombie', false], ['arrow', false], ['player', true]]) {
  test(`a sword is swung ${isRun ? 'running' : 'standing'} beside a ${other}`, async () => {
    const bot = botWith(undefined)
    bot.entities[1] = { name: other, type: other === 'player' ? other : 'mob', position: new Vec3(1, 64, 2), metadata: [] }
    bot.setControlState = (control, state) => bot.did.push(`${control} ${state}`)
    await strikeDown(bot, preyOf(1), {}, { signal, progress: () => {} })
    assert.deepStrictEqual(bot.did, isRun ? ['sprint true', 'strike', 'sprint false'] : ['strike'])
  })
}

test('a walk stops behind the shield while a bow is drawn, and goes on after the shot', async () => {
  const bot = botWith('shield')
  const skeleton = { position: new Vec3(0, 64, 2), metadata: { [HANDS]: DRAWS } }
  let isAborted = false
  const walk = signal => new Promise((resolve, reject) => signal.addEventListener('abort', () => {
    isAborted = true
    reject(signal.reason)
  }))
  const walked = underFire(bot, skeleton, signal, walk)
  while (!bot.did.includes('raise')) await new Promise(setImmediate)
  assert.deepStrictEqual([isAborted, bot.did], [true, ['look', 'raise']])
  skeleton.metadata[HANDS] = 0
  bot.emit('entityUpdate', skeleton)
  assert.strictEqual(await walked, false)
  assert.strictEqual(bot.did.at(-1), 'lower')
  assert.strictEqual(bot.listenerCount('entityUpdate'), 0)
})

test('without a shield a walk goes on under fire', async () => {
  const bot = botWith('torch')
  const walked = await underFire(bot, { position: new Vec3(0, 64, 9), metadata: { [HANDS]: DRAWS } }, signal, async () => {})
  assert.deepStrictEqual([walked, bot.did], [true, []])
})

test('the hand gathers its strength after a blow of the hunt before', async () => {
  const bot = botWith(undefined)
  const hunt = () => strikeDown(bot, preyOf(1), {}, { signal, progress: () => {} })
  await hunt()
  const before = performance.now()
  await hunt()
  assert.ok(performance.now() - before > 500)
})

/** A creeper so far away that stays there, and ground or none behind the bot. */
async function keepsOff (distance, below, ticks) {
  const states = []
  const bot = Object.assign(botWith(undefined), {
    setControlState: (key, isOn) => states.push(isOn && key),
    blockAt: ({ y }) => y < 64 ? { boundingBox: below } : { name: 'air', boundingBox: 'empty' }
  })
  bot.entity.yaw = 0
  const creeper = { ...preyOf(1), distance, isThere: true, look: () => {}, words: 'the creeper' }
  const struck = strikeDown(bot, creeper, { keepsOff: true }, { signal, progress: () => {} })
  struck.catch(() => {})
  for (let tick = 0; tick < ticks; tick++) {
    await new Promise(setImmediate)
    bot.emit('physicsTick')
  }
  return { struck, states, creeper, bot }
}

test('what swells is backed out from until it is far', async () => {
  const { struck, states, creeper, bot } = await keepsOff(2, 'block', 5)
  assert.strictEqual(states.at(-1), 'back')
  creeper.distance = 5
  bot.emit('physicsTick')
  assert.deepStrictEqual([states.at(-1), bot.did], ['back', []])
  creeper.distance = 8
  bot.emit('physicsTick')
  assert.strictEqual(states.at(-1), false)
  await new Promise(setImmediate)
  assert.deepStrictEqual(bot.did, ['strike'])
  creeper.isThere = false
  bot.emit('physicsTick')
  assert.strictEqual(await struck, 1)
})

test('nobody steps back over an edge: that is told', async () => {
  const { struck, states } = await keepsOff(2, 'empty', 1)
  await assert.rejects(struck, { reason: 'blocked' })
  assert.ok(!states.includes('back'))
})

test('a drowned shoots with a trident alone', () => {
  const drowned = held => shoots({ name: 'drowned', equipment: [held && { name: held }] })
  assert.deepStrictEqual([drowned(), drowned('trident'), shoots({ name: 'skeleton', equipment: [] })], [false, true, true])
})

test('hunger kills on hard alone', () => {
  const starves = (health, difficulty) => [...whereIn(Object.assign(botWith(), {
    blockAt: () => null, oxygenLevel: 20, food: 0, health, game: { difficulty }
  }))]
  assert.deepEqual(starves(1, 'normal'), ['hunger'])
  assert.deepEqual(starves(0, 'normal'), [])
  assert.deepEqual(starves(0, 'hard'), ['hunger'])
})
