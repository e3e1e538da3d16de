'use strict'
// What a server said before it closed is read, also when we notice by a write that it has closed.

/** Let reading go on after a write that fails; `failed(error)` hears of it.
 *
 *  expected: what was received before the connection broke can be read
 *  actual:   a socket destroys itself at the first failed write. Servers send their reason and
 *            close, often with a reset, and a bot writes all the time: the reason is lost.
 *  remove when: net.Socket of Node reads to the end after a failed write */
function readOnAfterFailedWrites (socket, failed) {
  for (const name of ['_write', '_writev']) {
    const write = socket[name]
    socket[name] = function (...args) {
      const done = args.pop()
      write.call(this, ...args, error => {
        if (error) failed(error)
        done()
      })
    }
  }
}

module.exports = { readOnAfterFailedWrites }
