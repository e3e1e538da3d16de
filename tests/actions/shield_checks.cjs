'use strict'
// Run by test_running_of_actions.py: when a shield is raised and lowered.
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { strikeDown } = require(path.join(HOST, 'acting', 'striking.cjs'))
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
  return { comeTo: async () => left-- > 0, hasDied: async () => true, point: new Vec3(0, 64, 2) }
}

const EACH = ['strike', 'raise', 'lower']

for (const [offHand, expected] of [['shield', [...EACH, ...EACH]], ['torch', ['strike', 'strike']], [undefined, ['strike', 'strike']]]) {
  test(`two blows with ${offHand ?? 'nothing'} in the off hand`, async () => {
    const bot = botWith(offHand)
    await strikeDown(bot, preyOf(2), () => false, { signal, progress: () => {} })
    assert.deepStrictEqual(bot.did, expected)
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
