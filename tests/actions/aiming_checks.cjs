'use strict'
// Run by test_checks_in_node.py: where arrows come down, and whom none may hit.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
const { aimAt, isClear, lead } = require(path.join(HOST, 'acting', 'aiming.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))

const { Vec3 } = load('vec3')

/** The height of an arrow so many blocks away, flown in steps of a hundredth of a block. */
function heightAt (pitch, away) {
  let [x, y, vx, vy] = [0, 0, 3 * Math.cos(pitch), 3 * Math.sin(pitch)]
  while (x + vx < away) [x, y, vx, vy] = [x + vx, y + vy, vx * 0.99, vy * 0.99 - 0.05]
  return y + vy * (away - x) / vx
}

for (const away of [4, 8, 12, 16, 20, 40]) {
  for (const up of [-6, 0, 4]) {
    test(`an arrow comes down ${away} blocks away and ${up} higher`, () => {
      const { pitch, ticks } = aimAt(away, up)
      assert.ok(Math.abs(heightAt(pitch, away) - up) < 0.05)
      assert.ok(ticks > Math.hypot(away, up) / 3 - 0.01 && ticks < away)
    })
  }
}

test('what is out of reach is not aimed at', () => assert.strictEqual(aimAt(200, 0), null))

const me = { type: 'player', position: new Vec3(0, 64, 0), height: 1.8, eyeHeight: 1.62 }
const target = { type: 'hostile', position: new Vec3(0, 64, 12), height: 1.9 }
const botAmong = (...others) => ({
  entity: me,
  entities: Object.fromEntries([me, target, ...others].map((one, i) => [i, one])),
  world: { raycast: () => null }
})
const at = target.position.offset(0, 1, 0)
const being = (type, x, z) => ({ type, position: new Vec3(x, 64, z), height: 1.8 })

test('what walks is aimed at where it will be', () => {
  const { ticks } = aimAt(12, at.y - 65.52)
  const { x, z } = lead(botAmong(), at, new Vec3(0.1, 0, 0))
  assert.ok(Math.abs(x - ticks / 10) < 0.01)
  assert.strictEqual(z, 12)
})

for (const [who, free] of [
  [being('player', 0.5, 6), false], [being('player', 1, 20), false], [being('animal', -0.5, 9), false],
  [being('player', 3, 6), true], [being('player', 0, -3), true], [being('orb', 0, 6), true], [being('player', 0, 40), true]
]) {
  test(`with a ${who.type} at ${who.position} the way is ${free ? 'free' : 'not free'}`, () => {
    assert.strictEqual(isClear(botAmong(who), target, at), free)
  })
}

test('a block in the way is not shot through', () => {
  assert.strictEqual(isClear({ ...botAmong(), world: { raycast: () => ({}) } }, target, at), false)
})
