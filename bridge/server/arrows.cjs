'use strict'
// Arrows: they fly in a curve, hit the first body or block on their way, and lie for a minute; those
// of players can be taken. After vanilla 1.16.5; source: minecraft.wiki/w/Arrow, Bow, Skeleton.

const { load } = require('./packages.cjs')
const { along, eyesOf } = require('./gaze.cjs')
const { randomUUID } = require('node:crypto')

const { Vec3 } = load('vec3')

const TICK_S = 0.05
const LONGEST_S = 0.5 // more is not made up for after a standstill
const SPEED = 32 // blocks a second: vanilla's 1.6 a tick
const [GRAVITY, DRAG] = [1, 0.99] // blocks a second that a tick adds, and what it leaves of the speed
const AIM = [1 / 3, 0.2] // of the height; and up, by the distance
const SPREAD = 0.0075
const INACCURACY = [0, 10, 6, 2] // by difficulty; a player's is 1
const [FULL_SPEED, BELOW_EYES] = [60, 0.1] // of a bow drawn in full: vanilla's 3 blocks a tick
const FROM_PLAYER = 2 // damage by speed in blocks a tick
const [DAMAGE, CHANCE, HARDER] = [2, 0.25, 0.11] // by speed: always, by chance, by difficulty
const [HEIGHT, MARGIN] = [1.8, 0.3] // of a player; around who is hit
const PLAYER_SIZE = new Vec3(0.6, HEIGHT, 0.6)
const STEP = 0.2 // blocks between two looks
const LIFE_MS = 60000
const CAUSE = 'death.attack.arrow'

module.exports = function arrows (serv, { strike, items, dropped }) {
  const kind = serv.registry.entitiesByName.arrow.id

  /** From the eyes of a monster, so high, at a player. */
  function shoot (shooter, eyes, target) {
    const from = shooter.position.offset(0, eyes - BELOW_EYES, 0)
    const way = target.position.offset(0, HEIGHT * AIM[0], 0).minus(from)
    way.y += Math.hypot(way.x, way.z) * AIM[1]
    const power = DAMAGE + gauss() * CHANCE + serv.difficulty * HARDER
    launch(shooter, from, way.scaled(1 / way.norm()), SPEED, INACCURACY[serv.difficulty], { power })
  }

  /** From the eyes of a player to where they look; `drawn` is 1 for a bow drawn in full. */
  function loose (player, drawn) {
    const from = eyesOf(player).offset(0, -BELOW_EYES, 0)
    const stack = items.named('arrow')
    launch(player, from, along(player), FULL_SPEED * drawn, 1, { power: FROM_PLAYER, isSharp: drawn === 1, stack })
  }

  function launch (shooter, from, way, speed, inaccuracy, facts) {
    const spread = () => gauss() * SPREAD * inaccuracy
    const velocity = way.offset(spread(), spread(), spread()).scaled(speed)
    const arrow = serv.initEntity('object', kind, shooter.world, from)
    Object.assign(arrow, { uuid: randomUUID(), name: 'arrow', data: shooter.id + 1, ...angles(velocity), metadata: [] })
    Object.assign(arrow, { velocity, size: new Vec3(0.5, 0.5, 0.5), deathTime: LIFE_MS, shooter, ...facts })
    const destroy = arrow.destroy
    arrow.destroy = () => {
      dropped.lying.delete(arrow)
      destroy()
    }
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
      const hit = bodies(arrow).find(body => isHit(body, arrow.world, at))
      if (hit) {
        pierce(hit, arrow, from)
        arrow.velocity.set(0, 0, 0)
        arrow.destroy()
        return arrow.position
      }
    }
    return from.plus(way)
  }

  /** Whom it can hit: of monsters' arrows only players, of players' no more those who shot them. */
  function bodies ({ shooter }) {
    if (shooter.isMonster) return serv.players
    return Object.values(serv.entities).filter(body => body !== shooter && ['player', 'mob'].includes(body.type))
  }

  function pierce (body, { velocity, power, isSharp, shooter }, from) {
    const damage = Math.ceil(velocity.norm() * TICK_S * power)
    const all = damage + (isSharp ? Math.floor(Math.random() * (Math.floor(damage / 2) + 2)) : 0)
    if (body.type === 'player') strike(body, all, { key: CAUSE, by: shooter, from })
    else body.takeDamage({ damage: all, by: shooter })
  }

  async function stop (arrow, at) {
    if (arrow.stack) dropped.lying.add(Object.assign(arrow, { readyAt: 0 }))
    return rest(arrow, at)
  }

  return { shoot, loose }
}

async function rest (arrow, at) {
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

function isHit (body, where, at) {
  const isPlayer = body.type === 'player'
  if (body.world !== where || (isPlayer && !(body.listed && body.health > 0 && [0, 2].includes(body.gameMode)))) return false
  const [{ x, y, z }, size] = [at.minus(body.position), isPlayer ? PLAYER_SIZE : body.size]
  return Math.max(Math.abs(x), Math.abs(z)) <= size.x / 2 + MARGIN && y >= -MARGIN && y <= size.y + MARGIN
}

function angles ({ x, y, z }) {
  const byte = angle => Math.floor(angle * 128 / Math.PI)
  return { yaw: byte(Math.atan2(x, z)), pitch: byte(Math.atan2(y, Math.hypot(x, z))) }
}

/** A number around 0, mostly within 1 of it. */
function gauss () {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
