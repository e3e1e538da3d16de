'use strict'
// How dangerous the world is, from 0 (peaceful) to 3; it may change while the server runs.

const { levels: LEVELS } = require('../vanilla/dangers.json')

module.exports = function difficulty (serv) {
  /** Throws on an unknown name. */
  function set (name) {
    if (!LEVELS.includes(name)) throw new Error(`unknown difficulty ${name}: ${LEVELS.join(', ')}`)
    serv.difficulty = LEVELS.indexOf(name)
    serv._writeAll('difficulty', { difficulty: name, difficultyLocked: false })
  }

  serv.commands.add({
    base: 'difficulty',
    info: 'how dangerous the world is',
    usage: `/difficulty <${LEVELS.join('|')}>`,
    op: true,
    parse: text => LEVELS.includes(text) && text,
    action: set
  })
  return { set, name: () => LEVELS[serv.difficulty] }
}
module.exports.LEVELS = LEVELS
