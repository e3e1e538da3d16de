'use strict'
// Run by test_checks_in_node.py: where lava runs once it is let out.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const lava = require(path.join(SERVER, 'lava.cjs'))
const { load } = require(path.join(SERVER, 'packages.cjs'))
const { Vec3 } = load('vec3')

const SOURCE = 34
const STONE = { name: 'stone', metadata: 0 }
const AIR = { name: 'air', metadata: 0 }

/** A world of stone with open cells and lava that lies still; `settled` once nothing moves. */
function land (open, still) {
  const cells = new Map([...open.map(cell => [cell, AIR]), ...still.map(cell => [cell, { name: 'lava', metadata: 0 }])])
  const world = { getBlock: async ({ x, y, z }) => cells.get(`${x} ${y} ${z}`) ?? STONE }
  const serv = {
    registry: { blocksByName: { lava: { minStateId: SOURCE } } },
    setBlock: async (_, { x, y, z }, state) => cells.set(`${x} ${y} ${z}`, { name: 'lava', metadata: state - SOURCE })
  }
  const { letOut } = lava(serv, 1)
  const run = (...at) => letOut(world, [new Vec3(...at)])
  return { run, levels: () => [...open].map(cell => cells.get(cell)).map(({ name, metadata }) => name === 'lava' ? metadata : null) }
}

const row = (length, y = 0) => Array.from({ length }, (_, x) => `${x} ${y} 0`)

test('it runs three blocks over the ground and gets thinner', async () => {
  const { run, levels } = land(row(6), ['-1 0 0'])
  await run(0, 0, 0)
  assert.deepStrictEqual(levels(), [2, 4, 6, null, null, null])
})

test('it falls as deep as there is room, and spreads only at the bottom', async () => {
  const { run, levels } = land(['0 0 0', '0 -1 0', '0 -2 0', '1 0 0', '1 -1 0', '1 -2 0'], ['0 1 0'])
  await run(0, 0, 0)
  assert.deepStrictEqual(levels(), [8, 8, 8, null, null, 2])
})

test('it comes over no corner and through no stone', async () => {
  const { run, levels } = land(['0 0 0'], ['1 1 0', '1 0 1'])
  await run(0, 0, 0)
  assert.deepStrictEqual(levels(), [null])
})

test('without lava nothing is waited for', async () => {
  const { run, levels } = land(row(3), [])
  await run(0, 0, 0)
  assert.deepStrictEqual(levels(), [null, null, null])
})
