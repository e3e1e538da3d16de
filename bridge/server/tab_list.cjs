'use strict'
// Who is on the server, as every client must know before it can tell players' entities apart.

module.exports = function tabList (serv) {
  // expected: a joiner gets the list, the others get the joiner
  // actual:   flying-squid writes the list to the others, so that a joiner knows nobody
  // remove when: _sendPlayerList of flying-squid writes to its argument
  function sendList (player) {
    endIntervalWith(player)
    player.listed = true
    const listed = serv.players.filter(other => other.listed)
    player._client.write('player_info', { action: 'add_player', data: listed.map(row) })
    listed.filter(other => other !== player).forEach(other => {
      other._client.write('player_info', { action: 'add_player', data: [row(player)] })
    })
  }

  // expected: whoever leaves before being listed leaves without a trace
  // actual:   flying-squid writes a row without uuid to all, which breaks their connections
  // remove when: logout.js of flying-squid checks that the login was finished
  function sendLeave (player) {
    if (!player.listed) return
    player._writeOthers('player_info', { action: 'remove_player', data: [{ uuid: player.uuid }] })
  }

  // flying-squid sets both anew with every player
  serv.on('newPlayer', () => {
    serv._sendPlayerList = sendList
    serv._sendPlayerEventLeave = sendLeave
  })

  // expected: an entity is shown to others once they know whose it is
  // actual:   with several joins at once flying-squid shows it before, and never again
  // remove when: flying-squid adds a player to its entities after the tab list
  const nearby = serv.getNearbyEntities
  serv.getNearbyEntities = where =>
    nearby(where).filter(entity => entity.type !== 'player' || entity.listed)
}

function row (player) {
  return {
    uuid: player.uuid,
    name: player.username,
    properties: player.profileProperties || [],
    gamemode: player.gameMode,
    ping: player._client.latency || 0
  }
}

// expected: what a login starts ends with its player
// actual:   right after the list flying-squid starts an interval of 5 s and keeps no handle of it
// remove when: fillTabList of flying-squid clears its interval
function endIntervalWith (player) {
  const stock = global.setInterval
  global.setInterval = (...args) => {
    global.setInterval = stock
    const timer = stock(...args)
    if (player.disconnected) clearInterval(timer)
    player.once('disconnected', () => clearInterval(timer))
    return timer
  }
}
