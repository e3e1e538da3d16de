'use strict'
// Half a second after a blow another takes only what it is worse by, of players and creatures. After
// vanilla 1.16.5; source: minecraft.wiki/w/Damage.

const { unhurt_ticks: TICKS } = require('../vanilla/dangers.json')

/** What a blow takes now, by the blows before it, and note it; 0 is nothing. */
module.exports = function counted (serv, body, amount) {
  const before = body.unhurtUntil > serv.tickCount ? body.lastBlow : 0
  if (amount <= before) return 0
  if (!before) body.unhurtUntil = serv.tickCount + TICKS
  body.lastBlow = amount
  return amount - before
}
