'use strict'
// Sand and gravel fall where the block below them is broken and the world is not peaceful; put down
// over nothing they stay, unlike in vanilla. After vanilla 1.16.5; source: minecraft.wiki/w/Falling_Block.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')

const { Vec3 } = load('vec3')

const LOOSE = /^((red_)?sand|gravel|\w+_concrete_powder)$/
const ROOM = /^((cave_|void_)?air|water|lava|(soul_)?fire|(tall_)?grass|fern|(tall_)?seagrass|snow)$/
const [GRAVITY, FASTEST] = [16, 39] // blocks a second, of each second and at most
const LONGEST_S = 0.5 // more is not made up for after a standstill

module.exports = function falling (serv, { items, dropped }) {
  const kind = serv.registry.entitiesByName.falling_block.id

  /** What is loose at a place has lost its hold, maybe; and what lies on that. */
  async function loosen (world, at) {
    if (!serv.difficulty) return
    const [block, below] = await Promise.all([at, at.offset(0, -1, 0)].map(place => world.getBlock(place)))
    if (!LOOSE.test(block.name) || !ROOM.test(below.name)) return
    await serv.setBlock(world, at, 0)
    put(world, at, block)
    await loosen(world, at.offset(0, 1, 0))
  }

  function put (world, at, block) {
    const entity = serv.initEntity('object', kind, world, at.offset(0.5, 0, 0.5))
    Object.assign(entity, { uuid: randomUUID(), name: 'falling_block', data: block.stateId, yaw: 0, pitch: 0 })
    Object.assign(entity, { velocity: new Vec3(0, -0.1, 0), size: new Vec3(0.98, 0.98, 0.98), metadata: [] })
    entity.calculatePhysics = seconds => fall(entity, block, Math.min(seconds, LONGEST_S))
    entity.updateAndSpawn()
  }

  /** Down to the next block, and there it is a block again. */
  async function fall (entity, block, seconds) {
    const { velocity, world, position } = entity
    velocity.y = Math.max(-FASTEST, velocity.y - GRAVITY * seconds)
    const next = position.offset(0, velocity.y * seconds, 0)
    for (let y = Math.ceil(position.y); y > next.y; y--) {
      const below = await world.getBlock(new Vec3(next.x, y - 1, next.z).floored())
      if (!ROOM.test(below.name)) return land(entity, block, y)
    }
    return { position: next, onGround: false }
  }

  async function land (entity, { name, stateId }, y) {
    const { world, position, velocity } = entity
    const at = new Vec3(position.x, y, position.z)
    velocity.set(0, 0, 0)
    entity.destroy()
    const { name: there } = await world.getBlock(at.floored())
    if (ROOM.test(there)) await serv.setBlock(world, at.floored(), stateId)
    else dropped.drop(world, at, items.named(name))
    return entity
  }

  return loosen
}
