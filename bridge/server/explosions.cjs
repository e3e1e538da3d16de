'use strict'
// An explosion: it harms and throws back whoever no block hides, breaks blocks by their resistance,
// and leaves a part of what they drop. After vanilla 1.16.5; source: minecraft.wiki/w/Explosion.

const { load } = require('./packages.cjs')
const loot = require('./loot.cjs')
const { isClear } = require('./prey.cjs')

const { Vec3 } = load('vec3')

const EDGE = 15 // rays go to the cells of the surface of a cube of 16
const [STEP, AIR_COSTS, BLOCK_COSTS] = [0.3, 0.225, 0.3] // a block costs its resistance, too
const [WEAKEST, BY_CHANCE] = [0.7, 0.6] // of the power, that a ray starts with
const SCALED = [() => 0, damage => Math.min(damage / 2 + 1, damage), damage => damage, damage => damage * 1.5]
const [HALF_WIDTH, EYES] = [0.3, 1.62]
const LOOKS = [[-HALF_WIDTH, 0, HALF_WIDTH], [0.1, 0.6, 1.1, 1.6], [-HALF_WIDTH, 0, HALF_WIDTH]]
const NO_MOTION = { playerMotionX: 0, playerMotionY: 0, playerMotionZ: 0 }

module.exports = function explosions (serv, { strike, crumble }) {
  /** `cause` is what players die of. */
  return async function explode (world, at, power, cause) {
    const broken = await brokenBy(world, at, power)
    const thrown = await harmAround(world, at, power, cause)
    const told = { ...at, radius: power, affectedBlockOffsets: [] }
    for (const player of serv.players) {
      if (player.listed && player.world === world) player._client.write('explosion', { ...told, ...(thrown.get(player) ?? NO_MOTION) })
    }
    for (const [place, block] of broken) {
      const drops = Math.random() < 1 / power ? loot.fallen(serv.registry, block, Math.random) : []
      await crumble(world, place, block, drops)
    }
  }

  async function harmAround (world, at, power, cause) {
    const thrown = new Map()
    for (const entity of Object.values(serv.entities)) {
      const away = (entity.position?.distanceTo(at) ?? Infinity) / (2 * power) // none: it is still joining
      if (entity.world !== world || away > 1) continue
      const impact = (1 - away) * await exposure(world, at, entity.position)
      const damage = Math.floor((impact * impact + impact) / 2 * 7 * 2 * power + 1)
      if (entity.name === 'item') entity.destroy()
      else if (entity.type === 'mob') entity.takeDamage({ damage })
      else if (entity.type === 'player') {
        strike(entity, SCALED[serv.difficulty](damage), { ...cause, from: at })
        thrown.set(entity, motion(entity, at, impact))
      }
    }
    return thrown
  }

  async function brokenBy (world, at, power) {
    const [cells, broken] = [new Map(), new Map()]
    for (const way of RAYS) {
      let left = power * (WEAKEST + Math.random() * BY_CHANCE)
      for (let point = at; left > 0; point = point.plus(way), left -= AIR_COSTS) {
        const place = point.floored()
        const key = String(place)
        if (!cells.has(key)) cells.set(key, await world.getBlock(place))
        const block = cells.get(key)
        if (block.type !== 0) left -= (resistance(block) + BLOCK_COSTS) * STEP
        if (left > 0 && block.type !== 0) broken.set(key, [place, block])
      }
    }
    return [...broken.values()]
  }

  function resistance ({ name }) {
    return serv.registry.blocksByName[name].resistance
  }
}

/** The share of a body that no block hides. */
async function exposure (world, from, feet) {
  const [xs, ys, zs] = LOOKS
  const points = xs.flatMap(x => ys.flatMap(y => zs.map(z => feet.offset(x, y, z))))
  const seen = await Promise.all(points.map(point => isClear(world, from, point)))
  return seen.filter(Boolean).length / points.length
}

/** Blocks a tick, away from the explosion. */
function motion ({ position }, at, impact) {
  const way = position.offset(0, EYES, 0).minus(at)
  const { x, y, z } = way.scaled(impact / (way.norm() || 1))
  return { playerMotionX: x, playerMotionY: y, playerMotionZ: z }
}

const RAYS = (() => {
  const side = Array.from({ length: EDGE + 1 }, (_, i) => i)
  const cells = side.flatMap(x => side.flatMap(y => side.map(z => new Vec3(x, y, z))))
  return cells.filter(({ x, y, z }) => [x, y, z].some(part => part === 0 || part === EDGE))
    .map(cell => cell.scaled(2 / EDGE).offset(-1, -1, -1))
    .map(way => way.scaled(STEP / way.norm()))
})()
