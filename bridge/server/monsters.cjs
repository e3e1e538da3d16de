'use strict'
// The monsters there are where the world is not peaceful: their bodies, blows they take, what they
// leave. What each does stands in the file of its kind. After vanilla 1.16.5; source: minecraft.wiki.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')
const { damageOf, sweeps } = require('./blows.cjs')
const counted = require('./immunity.cjs')
const explosions = require('./explosions.cjs')
const melee = require('./melee.cjs')
const skeletonOf = require('./skeleton.cjs')
const creeperOf = require('./creeper.cjs')
const drownedOf = require('./drowned.cjs')
const spiderOf = require('./spider.cjs')
const nights = require('./nights.cjs')
const spoils = require('./spoils.cjs')
const { isOpen } = require('./grazing.cjs')

const { Vec3 } = load('vec3')

const REACH = 6 // of a player, from feet to feet
const [HURT_STATUS, DEATH_STATUS] = [2, 3]
const [SWEEP, SWEEP_REACH, SWEPT] = [1, 3, 1] // blocks beside, from the player; damage
const RECENT = 100 // ticks since a player's blow in which a death gives experience
const YOUNG = { key: 15, type: 7, value: true } // entity metadata of a zombie
const [YOUNG_SPEED, YOUNG_EXPERIENCE] = [1.5, 12] // source: minecraft.wiki/w/Baby_Zombie
const PLAYER_SIZE = new Vec3(0.6, 1.8, 0.6)
const MAIN_HAND = 0
const PUSH = 8 // blocks a second of a blow: vanilla's 0.4 a tick
const LONGEST_S = 0.5 // more is not made up for after a standstill
const MOST_PATH_BACK = 1.5 // blocks off its way from where it is found anew

module.exports = function monsters (serv, { strike, items, inventory, dropped, crumble, arrows, random }) {
  const explode = explosions(serv, { strike, crumble })
  const kinds = {
    ...melee(serv, { strike }),
    spider: spiderOf(serv, { strike }),
    drowned: drownedOf(serv, { strike }),
    skeleton: skeletonOf(serv, { arrows }),
    creeper: creeperOf(serv, { explode, remove })
  }
  const alive = new Set()

  /** Put one into the world; throws on a kind there is none of, and on peaceful. */
  function put (name, place, isYoung = random() < (kinds[name]?.young ?? 0)) {
    if (!Object.hasOwn(kinds, name)) throw new Error(`unknown monster ${name}: ${Object.keys(kinds).join(', ')}`)
    if (!serv.difficulty) throw new Error('there are no monsters on peaceful')
    const monster = serv.initEntity('mob', serv.registry.entitiesByName[name].id, serv.overworld, place)
    Object.assign(monster, { uuid: randomUUID(), name, yaw: 0, pitch: 0, headPitch: 0, metadata: [] })
    Object.assign(monster, { velocity: new Vec3(0, 0, 0), size: new Vec3(0.6, 1.95, 0.6), checkAt: 0 })
    Object.assign(monster, { isMonster: true, health: kinds[name].health, strikesAt: 0, thinksAt: 0, way: [] })
    if (isYoung) Object.assign(monster, { isYoung, metadata: [YOUNG], size: new Vec3(0.3, 0.98, 0.3) })
    if (kinds[name].holds) monster.setEquipment(MAIN_HAND, items.named(kinds[name].holds))
    monster.calculatePhysics = seconds => live(monster, Math.min(seconds, LONGEST_S))
    monster.takeDamage = blow => hurt(monster, blow)
    alive.add(monster)
    monster.updateAndSpawn()
    return monster.id
  }

  async function live (monster, seconds) {
    const kind = kinds[monster.name]
    await kind.act(monster, Date.now())
    if (!alive.has(monster)) return monster // it went off
    if (monster.pushed) {
      Object.assign(monster, { velocity: monster.pushed, pushed: null, checkAt: 0, thinksAt: 0, way: [], onGround: false })
    }
    const moved = await kind.move?.(monster, seconds)
    if (moved) {
      turn(monster, moved.position.minus(monster.position))
      return moved
    }
    const isCarried = monster.velocity.norm() > 0 || !monster.onGround
    if (isCarried || !monster.way.length || kind.isNear(monster)) return dropped.fall(monster, seconds)
    return walk(monster, kind.speed * (monster.isYoung ? YOUNG_SPEED : 1) * seconds)
  }

  async function walk (monster, step) {
    const { world, position, way } = monster
    const flat = way[0].minus(position)
    flat.y = 0
    const left = flat.norm()
    if (left > MOST_PATH_BACK) Object.assign(monster, { way: [], thinksAt: 0 })
    turn(monster, flat)
    if (left <= step) {
      const there = way.shift()
      if (await isOpen(world, there, position, kinds[monster.name].swims > 0)) return { position: there, onGround: true }
      Object.assign(monster, { way: [], thinksAt: 0 }) // something was put there since
      return { position, onGround: true }
    }
    const next = position.plus(flat.scaled(step / left))
    next.y = Math.max(position.y, way[0].y)
    return { position: next, onGround: true }
  }

  function turn (monster, { x, z }) {
    const yaw = Math.floor(Math.atan2(-x, z) * 128 / Math.PI)
    if (yaw === monster.yaw || !(x || z)) return
    monster.yaw = yaw
    monster._writeOthersNearby('entity_look', { entityId: monster.id, yaw, pitch: 0, onGround: true })
    monster._writeOthersNearby('entity_head_rotation', { entityId: monster.id, headYaw: yaw })
  }

  /** By a blow of the hand of which `landed` is told. */
  function hurt (monster, { damage = 1, by, landed }) {
    if (!alive.has(monster)) return
    const isMore = monster.unhurtUntil > serv.tickCount
    const counts = counted(serv, monster, damage)
    if (!counts) return
    landed?.()
    monster.health -= counts
    const entityStatus = monster.health > 0 ? HURT_STATUS : DEATH_STATUS
    monster._writeOthersNearby('entity_status', { entityId: monster.id, entityStatus })
    if (by) Object.assign(monster, { prey: by, seenAt: Date.now(), struck: { by, tick: serv.tickCount } })
    if (monster.health <= 0) die(monster)
    else if (by && !isMore) push(monster, by.position)
  }

  /** Whoever is beside the one struck is grazed, players and animals, too. */
  function sweep (player, struck) {
    for (const other of Object.values(serv.entities)) {
      if (other === struck || other === player || !['mob', 'player'].includes(other.type) || other.world !== player.world) continue
      const [{ x, y, z }, size] = [other.position.minus(struck.position), other.size ?? PLAYER_SIZE]
      const isBeside = Math.hypot(x, z) <= SWEEP + size.x && Math.abs(y) <= size.y
      if (isBeside && other.position.distanceTo(player.position) <= SWEEP_REACH) other.takeDamage({ damage: SWEPT, by: player })
    }
  }

  function push (monster, { x, z }) {
    const away = new Vec3(monster.position.x - x, 0, monster.position.z - z)
    const { x: dx, z: dz } = away.scaled(PUSH / (away.norm() || 1) / 2) // the ground takes the other half
    monster.pushed = new Vec3(dx, PUSH / 2, dz) // a step under way would end with no velocity
  }

  function die (monster) {
    const { by, tick } = monster.struck ?? {}
    remove(monster)
    const kind = kinds[monster.name]
    const isSlain = by && serv.tickCount - tick <= RECENT
    if (isSlain) by.setXp(by.xp + (monster.isYoung ? YOUNG_EXPERIENCE : kind.experience))
    for (const [item, count] of spoils(kind, isSlain, random)) {
      dropped.drop(monster.world, monster.position.offset(0, 0.3, 0), items.named(item, count))
    }
  }

  function remove (monster) {
    alive.delete(monster)
    monster.destroy()
  }

  nights(serv, { alive, kinds, put, hurt, remove })
  serv.on('tick', () => {
    if (!serv.difficulty) alive.forEach(remove)
  })

  serv.on('newPlayer', player => {
    player.on('attack_cancel', ({ attackedEntity: { position, isMonster } }, cancel) => {
      if (isMonster && !(player.health > 0 && player.position.distanceTo(position) <= REACH)) cancel()
    })
    player.on('attack', attack => {
      const { attackedEntity: struck } = attack
      if (!struck.isMonster && !(serv.difficulty && struck.type === 'player')) return
      const [held, ticks] = [inventory.held(player), serv.tickCount - (player.swungAt ?? -Infinity)]
      attack.damage = damageOf(held, ticks)
      player.swungAt = serv.tickCount
      if (player.onGround && !player.isRunning && sweeps(held, ticks)) sweep(player, struck)
    })
  })

  /** [name, [x, y, z], health] of those alive. */
  function list () {
    return [...alive].map(({ name, position: { x, y, z }, health }) => [name, [x, y, z], health])
  }

  return { put, list }
}
