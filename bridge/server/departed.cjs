'use strict'
// Who is shown to whom: all who are near, monsters no farther than a player has the world sent, and
// nobody who has gone, a player, an item or an animal.

const { queryObjects } = require('node:v8')

const SIDE = 16

// expected: what has gone is let go of
// actual:   flying-squid lists for each entity who was near when it last moved two blocks. What
//           stands still keeps those who went, with the lists they had, and so on: all who ever came
// remove when: logout.js and destroyEntity of flying-squid clear nearbyEntities
module.exports = function departed (serv, { viewDistance: most = Infinity } = {}) {
  let Entity = null // prismarine-entity makes a class of its own for each who loads it

  serv.once('newEntity', entity => { Entity = entity.constructor })
  serv.on('newEntity', entity => {
    const { getNearby } = entity
    entity.getNearby = () => getNearby().filter(other => isShown(entity, other))
    entity.updateAndSpawn = () => update(entity)
  })
  serv.on('newPlayer', player => {
    player.on('playerChangeRenderDistance', () => player.updateAndSpawn())
    player.once('disconnected', () => forget(player, player.nearbyPlayers()))
  })

  /** As in vanilla 1.16.5, whose clients keep no monsters beyond the land that they have. */
  function isShown (one, other) {
    const [monster, player] = one.isMonster ? [one, other] : [other, one]
    if (!monster.isMonster || player.type !== 'player') return true
    return monster.position.distanceTo(player.position) <= Math.min(player.view ?? most, most) * SIDE
  }

  const destroy = serv.destroyEntity
  serv.destroyEntity = entity => {
    const told = entity.getNearbyPlayers()
    destroy(entity)
    forget(entity, told)
  }

  // expected: whoever comes near is shown
  // actual:   as one comes near or goes, flying-squid takes all who are near a player for shown to
  //           them: monsters around one who comes back from death stay unseen
  // remove when: updateAndSpawn of flying-squid lists no more than it shows
  function update (entity) {
    const [before, near] = [entity.nearbyEntities, entity.getNearby()]
    const [come, gone] = [near.filter(other => !before.includes(other)), before.filter(other => !near.includes(other))]
    Object.assign(entity, { nearbyEntities: near, lastPositionPlayersUpdated: entity.position.clone() })
    if (entity.type === 'player') {
      entity.despawnEntities(gone)
      come.forEach(entity.spawnEntity)
    }
    for (const player of gone.filter(({ type }) => type === 'player')) {
      player.despawnEntities([entity])
      player.nearbyEntities = player.nearbyEntities.filter(other => other !== entity)
    }
    for (const player of come.filter(({ type }) => type === 'player')) {
      if (player.nearbyEntities.includes(entity)) continue
      player.spawnEntity(entity)
      player.nearbyEntities = [...player.nearbyEntities, entity]
    }
  }

  /** The others forget it; players among them who were not `told` that it went are told now. */
  function forget (gone, told) {
    for (const other of Object.values(serv.entities)) {
      if (!other.nearbyEntities.includes(gone)) continue
      other.nearbyEntities = other.nearbyEntities.filter(entity => entity !== gone)
      if (other.type === 'player' && !told.includes(other)) other.despawnEntities([gone])
    }
    gone.nearbyEntities = []
    // A fall or step under way ends after it: it would show it to all anew, or tell where it is
    // now, of which clients make another entity that nobody takes away.
    gone.updateAndSpawn = () => {}
    gone.getNearbyPlayers = () => []
  }

  /** How many entities something holds, those too that have gone. It collects garbage, which takes a while. */
  const alive = () => Entity ? queryObjects(Entity) : 0

  return { alive }
}
