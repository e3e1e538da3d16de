'use strict'
// What several players are sent is put into bytes once. What one is sent in a turn of the event loop
// leaves together, and what waits for one who reads too slowly has a bound.

const MOST_WAITING = 8 * 2 ** 20 // bytes: more than the widest view of land takes

module.exports = function sending (serv) {
  encodeOnce(serv)
  serv._server.on('connection', client => {
    gather(client.socket, waiting => {
      console.error(`[${client.username}] reads too slowly: ${waiting} bytes wait for it, it is thrown out`)
      // what waits is dropped with the connection: a farewell would wait behind it
      client.socket.destroy()
    })
  })
}

// expected: one packet for many is written once. actual: flying-squid has each connection write it
// anew, half of what a packet costs. remove when: its _writeArray hands bytes on.
function encodeOnce (serv) {
  serv._writeArray = (name, params, players) => {
    if (players.length === 0) return
    // all speak the version of the server, and who is told of others has logged in
    const bytes = players[0]._client.serializer.createPacketBuffer({ name, params })
    for (const { _client } of players) _client.writeRaw(bytes)
  }
}

// expected: packets to many cost little. actual: minecraft-protocol makes a system call for each,
// and with thirty players who walk about these took half of the server's time.
// remove when: it corks its sockets.
/** Gather what is written in a turn of the event loop; `onTooMuch` once, with the bytes that wait.
 *
 * It becomes one piece: of fifty players who walk about, each packet that waits by itself takes
 * thirty times its size, and collecting that is what makes the server slower still. */
function gather (socket, onTooMuch) {
  const { write, end } = socket
  let pieces = []
  let told = []
  const leave = () => {
    if (pieces.length === 0) return
    const [piece, callbacks] = [Buffer.concat(pieces), told]
    pieces = []
    told = []
    write.call(socket, piece, error => callbacks.forEach(done => done(error)))
    if (socket.writableLength > MOST_WAITING && !socket.destroyed) onTooMuch(socket.writableLength)
  }
  socket.write = (piece, encoding, done) => {
    if (pieces.length === 0) setImmediate(leave)
    pieces.push(typeof piece === 'string' ? Buffer.from(piece, encoding) : piece)
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback) told.push(callback)
    // All that waits shall wait here, as bytes: minecraft-protocol would keep it as objects in the
    // streams before, where nobody counts it.
    return true
  }
  socket.end = (...args) => {
    leave()
    return end.apply(socket, args)
  }
}
