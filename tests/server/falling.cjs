'use strict'
// Where what is thrown comes to rest, when the server's ticks come in time and when they are late.
const path = require('node:path')

const SERVER = path.join(__dirname, '..', '..', 'bridge', 'server')
const dropped = require(path.join(SERVER, 'dropped.cjs'))
const { Vec3 } = require(path.join(SERVER, 'packages.cjs')).load('vec3')

const FLOOR = { boundingBox: 'block', shapes: [[0, 0, 0, 1, 1, 1]] }
const AIR = { boundingBox: 'empty', shapes: [] }
const world = { getBlock: async ({ y }) => (y < 64 ? FLOOR : AIR) }
const serv = { on () {}, registry: { entitiesByName: { item: { id: 1 } } } }
const { fall } = dropped(serv, {})

async function restsAt (seconds) {
  const thrown = {
    world,
    position: new Vec3(8.5, 65.3, 8.5),
    velocity: new Vec3(6, 2, 0),
    checkAt: 0,
    sendPosition: async () => {}
  }
  for (let onGround = false; !onGround;) {
    ({ position: thrown.position, onGround } = await fall(thrown, seconds))
  }
  return thrown.position
}

async function main () {
  const [inTime, late] = [await restsAt(0.05), await restsAt(0.6)]
  process.stdout.write(JSON.stringify({ inTime, late }))
}

main()
