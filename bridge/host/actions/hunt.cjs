'use strict'
// Walk to a creature and strike it until it is dead. Fails: not_found (gone before, or got
// away), no_path, blocked (it takes no harm).
const { withPrey } = require('../acting/prey.cjs')
const { strikeDown } = require('../acting/striking.cjs')
const { sparing } = require('../acting/zones.cjs')

module.exports = async function hunt (bot, { mob: id, spared }, io) {
  return await withPrey(bot, id, io.signal, async prey => {
    const strokes = await strikeDown(bot, prey, sparing(spared), io)
    return { mob: prey.name, strokes }
  })
}
