'use strict'
// A thread of ending_checks.cjs: a server that lets nobody in.
const { load } = require('../../bridge/host/packages.cjs')
const { parentPort, workerData: { how, closed, reason, version } } = require('node:worker_threads')

const server = load('minecraft-protocol').createServer({
  host: '127.0.0.1', port: 0, version, 'online-mode': false, hideErrors: true, errorHandler () {}
})

server.on('connection', client => {
  client.removeAllListeners('login_start')
  if (how === 'never') return
  client.once('login_start', () => {
    if (how !== 'silent reset') client.write('disconnect', { reason: JSON.stringify({ text: reason }) })
    if (how === 'end') return client._end('refused')
    client.socket.write('', () => { // all before it is on its way
      client.socket.resetAndDestroy()
      Atomics.store(closed, 0, 1)
      Atomics.notify(closed, 0)
    })
  })
})
server.on('listening', () => parentPort.postMessage(server.socketServer.address().port))
