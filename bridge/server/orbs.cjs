'use strict'
// Experience that lies in the world, until a player comes who takes it. It does not fly to them. After
// vanilla 1.16.5; source: minecraft.wiki/w/Experience.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')
const { reaches } = require('./pickup.cjs')

const { Vec3 } = load('vec3')

const LIFE_MS = 300000
const [A_LEVEL, MOST] = [7, 100] // of what the dead leave

module.exports = function orbs (serv, dropped) {
  const lying = new Set()
  const kind = serv.registry.entitiesByName.experience_orb.id

  function drop (world, position, points) {
    const orb = serv.initEntity('object', kind, world, position.clone())
    Object.assign(orb, { uuid: randomUUID(), name: 'experience_orb', data: 0, yaw: 0, pitch: 0, metadata: [] })
    Object.assign(orb, { velocity: new Vec3(0, 0, 0), size: new Vec3(0.5, 0.5, 0.5), deathTime: LIFE_MS, checkAt: 0, points })
    orb.spawnPacketName = 'spawn_entity_experience_orb'
    orb.getSpawnPacket = () => ({ entityId: orb.id, ...orb.position, count: points })
    orb.calculatePhysics = seconds => dropped.fall(orb, seconds)
    const destroy = orb.destroy
    orb.destroy = () => {
      lying.delete(orb)
      destroy()
    }
    lying.add(orb)
    orb.updateAndSpawn()
  }

  /** A part of what one had stays where they died, the rest is gone. */
  function leave (player) {
    const points = Math.min(A_LEVEL * (player.level ?? 0), MOST)
    player.setXp(0)
    if (points) drop(player.world, player.position, points)
  }

  function take (player, orb) {
    serv._writeAll('collect', { collectedEntityId: orb.id, collectorEntityId: player.id, pickupItemCount: 1 })
    player.setXp(player.xp + orb.points)
    orb.destroy()
  }

  serv.on('tick', () => {
    for (const orb of lying) {
      const player = serv.players.find(other => reaches(other, orb))
      if (player) take(player, orb)
    }
  })

  return { leave }
}
