'use strict'
// Picking up what lies within reach of a living player, counted: what does not fit stays.

const { alive } = require('./clients.cjs')

// the player's box of 0.6 x 1.8, grown by 1 to the sides and 0.5 up and down as in vanilla,
// and the item's own box of 0.25
const SIDE = 0.3 + 1 + 0.125
const BELOW = 0.5 + 0.25
const ABOVE = 1.8 + 0.5
const SPECTATOR = 3

module.exports = function pickup (serv, dropped, inventory) {
  function take (player, entity) {
    const before = entity.stack.count
    const rest = inventory.add(player, entity.stack)
    const pickupItemCount = before - (rest ? rest.count : 0)
    if (!pickupItemCount) return
    const collectedEntityId = entity.id
    serv._writeAll('collect', { collectedEntityId, collectorEntityId: player.id, pickupItemCount })
    dropped.setCount(entity, before - pickupItemCount)
  }

  serv.on('tick', () => {
    const now = Date.now()
    for (const entity of dropped.lying) {
      if (entity.readyAt > now) continue
      const player = serv.players.find(other => reaches(other, entity))
      if (player) take(player, entity)
    }
  })
}

function reaches (player, entity) {
  if (!player.listed || !alive(player) || player.gameMode === SPECTATOR) return false
  if (player.world !== entity.world) return false
  const away = entity.position.minus(player.position)
  return Math.abs(away.x) <= SIDE && Math.abs(away.z) <= SIDE && away.y >= -BELOW && away.y <= ABOVE
}

module.exports.reaches = reaches
