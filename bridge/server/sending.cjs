'use strict'
// What a player is sent in one turn of the event loop leaves together, and what waits for a player
// who reads too slowly has a bound.
//
// expected: packets to many cost little. actual: minecraft-protocol makes a system call for each,
// and with thirty players who walk about these took half of the server's time.
// remove when: it corks its sockets.

const MOST_WAITING = 8 * 2 ** 20 // bytes: more than the widest view of land takes

module.exports = function sending (serv) {
  serv._server.on('connection', client => {
    gather(client.socket, waiting => {
      console.error(`[${client.username}] reads too slowly: ${waiting} bytes wait for it, it is thrown out`)
      // what waits is dropped with the connection: a farewell would wait behind it
      client.socket.destroy()
    })
  })
}

/** Cork the socket for each turn; `onTooMuch` once, with the bytes that wait then. */
function gather (socket, onTooMuch) {
  const { write } = socket
  let isGathering = false
  const leave = () => {
    isGathering = false
    socket.uncork()
    if (socket.writableLength > MOST_WAITING && !socket.destroyed) onTooMuch(socket.writableLength)
  }
  socket.write = (...args) => {
    if (!isGathering) {
      isGathering = true
      socket.cork()
      setImmediate(leave)
    }
    write.apply(socket, args)
    // All that waits shall wait here, as bytes: minecraft-protocol would keep it as objects in the
    // streams before, ten times as large, where nobody counts it.
    return true
  }
}
