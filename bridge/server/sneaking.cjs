'use strict'
// Who sneaks: a player who does places blocks on chests instead of opening them.

const { listen } = require('./clients.cjs')
const { show } = require('./shown_health.cjs')

const POSES = { start_sneaking: true, stop_sneaking: false }
const FLAGS = { key: 0, type: 0 } // entity metadata: the byte of poses
const SNEAKS = 0x02

module.exports = function sneaking (serv) {
  // expected: a client's sneaking is kept and shown
  // actual:   animations.js compares the action with numbers, minecraft-data names it
  // remove when: flying-squid compares with the names
  serv.on('newPlayer', player => listen(serv, player, 'entity_action', ({ actionId }) => {
    if (!(actionId in POSES)) return
    player.crouching = POSES[actionId]
    show(player, { ...FLAGS, value: player.crouching ? SNEAKS : 0 })
  }))
}
