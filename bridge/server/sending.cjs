'use strict'
// What a player is sent in one turn of the event loop leaves together.
//
// expected: packets to many cost little. actual: minecraft-protocol makes a system call for each,
// and with thirty players who walk about these took half of the server's time.
// remove when: it corks its sockets.

module.exports = function sending (serv) {
  serv._server.on('connection', ({ socket }) => gather(socket))
}

function gather (socket) {
  const { write } = socket
  let isGathering = false
  const leave = () => {
    isGathering = false
    socket.uncork()
  }
  socket.write = (...args) => {
    if (!isGathering) {
      isGathering = true
      socket.cork()
      setImmediate(leave)
    }
    return write.apply(socket, args)
  }
}
