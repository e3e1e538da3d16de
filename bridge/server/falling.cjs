'use strict'
// Sand, gravel, concrete powder and anvils fall where nothing holds them: put down over nothing, or
// once what held them is gone. After vanilla 1.16.5; source: minecraft.wiki/w/Falling_Block, Anvil.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')
const { topBelow } = require('./dropped.cjs')
const { isWater } = require('./waters.cjs')

const { Vec3 } = load('vec3')

const LOOSE = /^((red_)?sand|gravel|\w+_concrete_powder|((chipped|damaged)_)?anvil)$/
const ROOM = new RegExp(
  '^((cave_|void_)?air|water|lava|bubble_column|(soul_)?fire|(tall_)?grass|(large_)?fern|dead_bush|vine|' +
  '(tall_)?seagrass|snow)$'
)
const BEGINS_MS = 100 // vanilla: 2 ticks after something changed
const [GRAVITY, FASTEST] = [16, 39] // blocks a second, of each second and at most
const LONGEST_S = 0.5 // more is not made up for after a standstill
const POWDER = '_concrete_powder'
const [CRUSHES, MOST] = [2, 40] // half-hearts of an anvil, for each block it fell but the first
const CRUSHED = { key: 'death.attack.anvil' }
const WIDTH = 0.8 // of a block and a body, from middle to middle

module.exports = function falling (serv, { items, dropped, waters, strike }) {
  const { entitiesByName, blocksByName, blocksByStateId } = serv.registry
  const isLoose = stateId => LOOSE.test(blocksByStateId[stateId].name)

  serv.once('pluginsReady', () => {
    const { setBlock } = serv
    serv.setBlock = async (world, at, stateId) => {
      await setBlock(world, at, stateId)
      const above = at.offset(0, 1, 0)
      if (isLoose(stateId)) look(world, at)
      if (isLoose(await world.getBlockStateId(above))) look(world, above)
    }
  })

  /** Soon, whether it falls. */
  function look (world, at) {
    setTimeout(() => loosen(world, at).catch(error => serv.emit('error', error)), BEGINS_MS).unref()
  }

  async function loosen (world, at) {
    const [block, below] = await Promise.all([at, at.offset(0, -1, 0)].map(place => world.getBlock(place)))
    if (!LOOSE.test(block.name) || !ROOM.test(below.name)) return
    await serv.setBlock(world, at, await waters.emptied(world, at))
    const entity = serv.initEntity('object', entitiesByName.falling_block.id, world, at.offset(0.5, 0, 0.5))
    Object.assign(entity, { uuid: randomUUID(), name: 'falling_block', data: block.stateId, yaw: 0, pitch: 0 })
    Object.assign(entity, { velocity: new Vec3(0, -0.1, 0), size: new Vec3(0.98, 0.98, 0.98), metadata: [] })
    entity.calculatePhysics = seconds => fall(entity, block, at.y, Math.min(seconds, LONGEST_S))
    entity.updateAndSpawn()
  }

  /** Down to the next floor, and there it is a block again. */
  async function fall (entity, block, from, seconds) {
    const { velocity, world, position } = entity
    velocity.y = Math.max(-FASTEST, velocity.y - GRAVITY * seconds)
    const next = position.offset(0, velocity.y * seconds, 0)
    const floor = await topBelow(world, position, next)
    if (floor !== null) return land(entity, block, from, floor)
    const sets = block.name.endsWith(POWDER) && isWater(await world.getBlock(next.floored()))
    return sets ? land(entity, block, from, next.y) : { position: next, onGround: false }
  }

  /** In the place of what gives way, else as an item. */
  async function land (entity, { name, stateId }, from, y) {
    const { world, position, velocity } = entity
    const at = new Vec3(position.x, y, position.z)
    velocity.set(0, 0, 0)
    entity.destroy()
    const there = await world.getBlock(at.floored())
    if (name.endsWith('anvil')) crush(world, at, Math.ceil(from - y - 1))
    if (!givesWay(there)) dropped.drop(world, at, items.named(name))
    else await serv.setBlock(world, at.floored(), isWater(there) ? inWater(name, stateId) : stateId)
    return entity
  }

  function inWater (name, stateId) {
    return name.endsWith(POWDER) ? blocksByName[name.replace('_powder', '')].minStateId : stateId
  }

  function crush (world, at, blocks) {
    const damage = Math.min(MOST, CRUSHES * blocks)
    for (const one of Object.values(serv.entities)) {
      if (damage <= 0 || one.world !== world || !one.position) continue
      const { x, y, z } = one.position.minus(at)
      if (Math.abs(x) > WIDTH || Math.abs(z) > WIDTH || y < -2 || y > 1) continue
      if (one.type === 'player') strike(one, damage, CRUSHED)
      else if (one.type === 'mob') one.takeDamage({ damage })
    }
  }
}

function givesWay (block) {
  return ROOM.test(block.name) && (block.name !== 'snow' || Number(block.getProperties().layers) === 1)
}
