'use strict'
// What others are told of a player's health.
//
// expected: players near learn of a player's health
// actual:   health.js tells the player alone
// remove when: updateHealth of flying-squid writes the metadata too

const HEALTH = { key: 8, type: 2 } // entity metadata of a living thing: a float

/** Change one field of a player's metadata, for those near and for those who come near later. */
function show (player, field) {
  const others = (player.metadata ?? []).filter(({ key }) => key !== field.key)
  player.metadata = [...others, field]
  player.sendMetadata([field])
}

module.exports = function shownHealth (serv) {
  serv.on('newPlayer', player => {
    const update = player.updateHealth
    player.updateHealth = health => {
      update(health)
      show(player, { ...HEALTH, value: health })
    }
  })
}
module.exports.show = show
