'use strict'
// A rod, a bobber on the nearest water, a bite: as each version's packets.
const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')
const BITE_MS = 500
const SPLASH = 6 // particles, in every version
const BEFORE_1_14 = 90 // the kind of a bobber
const STILL = { x: 0, y: 0, z: 0 }
const FAR = 8 // blocks

class Fishing {
  constructor (scene, give) {
    this.scene = scene
    this.give = give
    this.lines = new Map() // player -> line
    this.bobbers = 5000
  }

  use (player) {
    const line = this.lines.get(player)
    if (line) this.reelIn(player, line)
    else this.cast(player)
  }

  cast (player) {
    const at = this.nearestWater(player.at)
    if (!at) return
    const id = ++this.bobbers
    player.client.write('spawn_entity', this.bobber(id, player, at))
    const next = setTimeout(() => this.bite(player, at), BITE_MS)
    this.lines.set(player, { id, next, isBitten: false })
  }

  bite (player, at) {
    this.lines.get(player).isBitten = true
    const { particlesByName } = this.scene.data
    for (const name of ['bubble', particlesByName.fishing ? 'fishing' : 'wake']) {
      player.client.write('world_particles', this.particles(name, at))
    }
  }

  reelIn (player, { id, next, isBitten }) {
    this.lines.delete(player)
    clearTimeout(next)
    player.client.write('entity_destroy', { entityIds: [id] })
    if (isBitten) this.give(player, 'cod', 1)
  }

  bobber (id, player, at) {
    const { data } = this.scene
    const isOld = !data.version['>=']('1.14')
    const place = data.supportFeature('fixedPointPosition') ? at.scaled(32).floored() : at
    return {
      entityId: id,
      objectUUID: `44444444-2222-3333-8444-${String(id).padStart(12, '0')}`,
      type: isOld ? BEFORE_1_14 : data.entitiesByName.fishing_bobber.id,
      ...{ x: place.x, y: place.y, z: place.z },
      pitch: 0,
      yaw: 0,
      headPitch: 0,
      objectData: player.id,
      velocity: STILL
    }
  }

  particles (name, { x, y, z }) {
    const { version, particlesByName } = this.scene.data
    const particle = version['>=']('1.20.5')
      ? { particle: { type: name }, amount: SPLASH, velocityOffset: 0.2, alwaysShow: false }
      : { particleId: particlesByName[name].id, particles: SPLASH, particleData: 0.2, data: [] }
    return { longDistance: false, x, y, z, offsetX: 0.25, offsetY: 0, offsetZ: 0.25, ...particle }
  }

  nearestWater ({ x, y, z }) {
    const here = new Vec3(x, y, z).floored()
    const found = this.scene.world.named('water', Math.floor(y) - 1)
      .filter(at => at.distanceTo(here) <= FAR)
      .sort((a, b) => a.distanceTo(here) - b.distanceTo(here))
    return found[0]?.offset(0.5, 0.8, 0.5)
  }
}

module.exports = { Fishing }
