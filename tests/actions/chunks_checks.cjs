'use strict'
// Run by test_checks_in_node.py: land as Cuberite sends it, written here by the wiki's chunk format.
const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const HOST = path.join(__dirname, '..', '..', 'bridge', 'host')
require(path.join(HOST, 'chunks.cjs'))
const { load } = require(path.join(HOST, 'packages.cjs'))
const { Vec3 } = load('vec3')

const BITS = 13n
const LONGS = 832
const KINDS = [7, 1, 2, 0] // bedrock, stone, grass, air: number n lies in layer n
const LIGHT = 2 * 2048
const BIOMES = 256

/** One section without a palette, of whose layers each is of one kind. */
function section () {
  let bits = 0n
  for (let at = 4095; at >= 0; at--) bits = (bits << BITS) | BigInt((KINDS[at >> 8] ?? 0) << 4)
  const longs = Array.from({ length: LONGS }, (_, n) => (bits >> (64n * BigInt(n))) & 0xffffffffffffffffn)
  const data = Buffer.alloc(LONGS * 8)
  longs.forEach((long, n) => data.writeBigUInt64BE(long, n * 8))
  return Buffer.concat([Buffer.from([Number(BITS), 0, 0xc0, 0x06]), data, Buffer.alloc(LIGHT)])
}

for (const version of ['1.9.4', '1.10.2', '1.11.2', '1.12.2']) {
  test(`land without palettes is read at ${version}`, () => {
    const Chunk = load('prismarine-chunk')(load('prismarine-registry')(version))
    const chunk = new Chunk()
    chunk.load(Buffer.concat([section(), section(), Buffer.alloc(BIOMES)]), 0b11, true, true)
    for (const base of [0, 16]) {
      const names = KINDS.map((_, y) => chunk.getBlock(new Vec3(15, base + y, 15)).type)
      assert.deepStrictEqual(names, KINDS)
    }
  })
}
