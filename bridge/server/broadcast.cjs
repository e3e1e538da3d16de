'use strict'
// What several players are told is put into bytes once.

// expected: one packet for many is written once. actual: flying-squid has each connection write it
// anew, half of what a packet costs. remove when: its _writeArray hands bytes on.
module.exports = function broadcast (serv) {
  serv._writeArray = (name, params, players) => {
    if (players.length === 0) return
    // all speak the version of the server, and who is told of others has logged in
    const bytes = players[0]._client.serializer.createPacketBuffer({ name, params })
    for (const { _client } of players) _client.writeRaw(bytes)
  }
}
