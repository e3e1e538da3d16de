'use strict'
// Arrows of monsters: they fly in a curve, hit the first player or block on their way, and lie for a
// minute; nobody can take them. After vanilla 1.16.5; source: minecraft.wiki/w/Arrow, Skeleton.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')

const { Vec3 } = load('vec3')

const TICK_S = 0.05
const LONGEST_S = 0.5 // more is not made up for after a standstill
const SPEED = 32 // blocks a second: vanilla's 1.6 a tick
const [GRAVITY, DRAG] = [1, 0.99] // blocks a second that a tick adds, and what it leaves of the speed
const AIM = [1 / 3, 0.2] // of the height; and up, by the distance
const SPREAD = 0.0075
const INACCURACY = [0, 10, 6, 2] // by difficulty
const [DAMAGE, CHANCE, HARDER] = [2, 0.25, 0.11] // by speed: always, by chance, by difficulty
const [WIDTH, HEIGHT, MARGIN] = [0.3, 1.8, 0.3] // of who is hit, from the middle
const STEP = 0.2 // blocks between two looks
const LIFE_MS = 60000
const CAUSE = 'death.attack.arrow'

module.exports = function arrows (serv, { strike }) {
  const kind = serv.registry.entitiesByName.arrow.id

  /** From the eyes of a monster, so high, at a player. */
  function shoot (shooter, eyes, target) {
    const from = shooter.position.offset(0, eyes - 0.1, 0)
    const way = target.position.offset(0, HEIGHT * AIM[0], 0).minus(from)
    way.y += Math.hypot(way.x, way.z) * AIM[1]
    const spread = () => gauss() * SPREAD * INACCURACY[serv.difficulty]
    const velocity = way.scaled(1 / way.norm()).offset(spread(), spread(), spread()).scaled(SPEED)
    const arrow = serv.initEntity('object', kind, shooter.world, from)
    const power = DAMAGE + gauss() * CHANCE + serv.difficulty * HARDER
    Object.assign(arrow, { uuid: randomUUID(), name: 'arrow', data: shooter.id + 1, ...angles(velocity), metadata: [] })
    Object.assign(arrow, { velocity, size: new Vec3(0.5, 0.5, 0.5), deathTime: LIFE_MS, shooter, power })
    arrow.calculatePhysics = seconds => fly(arrow, Math.min(seconds, LONGEST_S))
    arrow.updateAndSpawn()
  }

  async function fly (arrow, seconds) {
    const { velocity } = arrow
    let at = arrow.position
    for (let left = seconds; left > 0 && velocity.norm(); left -= TICK_S) {
      at = await flyOn(arrow, at, Math.min(left, TICK_S))
      velocity.scale(DRAG).subtract(new Vec3(0, velocity.norm() && GRAVITY, 0))
    }
    return { position: at, onGround: !velocity.norm() }
  }

  async function flyOn (arrow, from, seconds) {
    const way = arrow.velocity.scaled(seconds)
    const looks = Math.ceil(way.norm() / STEP)
    for (let i = 1; i <= looks; i++) {
      const at = from.plus(way.scaled(i / looks))
      if (await isIn(arrow.world, at)) return stop(arrow, at)
      const hit = serv.players.find(player => isHit(player, arrow.world, at))
      if (hit) {
        const damage = Math.ceil(arrow.velocity.norm() * TICK_S * arrow.power)
        strike(hit, damage, { key: CAUSE, by: arrow.shooter, from })
        arrow.velocity.set(0, 0, 0)
        arrow.destroy()
        return arrow.position
      }
    }
    return from.plus(way)
  }

  return { shoot }
}

async function stop (arrow, at) {
  arrow.velocity.set(0, 0, 0)
  await arrow.sendPosition(at, true) // flying-squid sends only what still moves
  return at
}

async function isIn (world, at) {
  const { boundingBox, shapes } = await world.getBlock(at.floored())
  const [x, y, z] = [at.x - Math.floor(at.x), at.y - Math.floor(at.y), at.z - Math.floor(at.z)]
  return boundingBox === 'block' && shapes.some(([x0, y0, z0, x1, y1, z1]) =>
    x >= x0 && x <= x1 && y >= y0 && y <= y1 && z >= z0 && z <= z1)
}

function isHit ({ listed, health, gameMode, world, position }, where, at) {
  const { x, y, z } = at.minus(position)
  return listed && health > 0 && [0, 2].includes(gameMode) && world === where &&
    Math.max(Math.abs(x), Math.abs(z)) <= WIDTH + MARGIN && y >= -MARGIN && y <= HEIGHT + MARGIN
}

function angles ({ x, y, z }) {
  const byte = angle => Math.floor(angle * 128 / Math.PI)
  return { yaw: byte(Math.atan2(x, z)), pitch: byte(Math.atan2(y, Math.hypot(x, z))) }
}

/** A number around 0, mostly within 1 of it. */
function gauss () {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
