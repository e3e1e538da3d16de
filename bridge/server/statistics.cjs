'use strict'
// Who asks for statistics gets an answer, as from vanilla; there are none.

const { listen } = require('./clients.cjs')

module.exports = function statistics (serv) {
  serv.on('newPlayer', player => listen(serv, player, 'client_command', ({ actionId }) => {
    if (actionId === 'request_stats') player._client.write('statistics', { entries: [] })
  }))
}
