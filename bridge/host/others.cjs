'use strict'
// What other players do where a bot sees it: they put blocks down, take them away, are hurt and die. No server tells who
// placed a block: it is whoever in reach holds such a block, or held it until a moment ago, when it
// was their last one.

const REACH = 7 // blocks from the feet: 5 from the eyes, and what they moved since
const LAST_ONE_MS = 2000

/** Has `bot` emit `placing` with {from, block, where, dimension}, the block being air
 *  where one is gone, and `wounded` and `fallen` with {from, where,
 *  dimension}. */
function others (bot) {
  const hands = new Map() // number of a player's entity -> {now, before, since}

  bot.on('entityEquip', entity => {
    const { now } = hands.get(entity.id) ?? {}
    const held = heldBy(entity)
    if (held !== now) hands.set(entity.id, { now: held, before: now, since: performance.now() })
  })
  bot.on('entityGone', ({ id }) => hands.delete(id))

  const has = (entity, name) => {
    const { before, since } = hands.get(entity.id) ?? {}
    return heldBy(entity) === name || (before === name && performance.now() - since < LAST_ONE_MS)
  }

  bot.on('blockUpdate', (before, after) => {
    if (!after || !before || before.name === after.name) return
    const isTaken = after.name.endsWith('air')
    if (!isTaken && before.boundingBox !== 'empty') return
    const placer = Object.values(bot.entities).find(entity => {
      return entity.type === 'player' && entity !== bot.entity &&
        entity.position.distanceTo(after.position) <= REACH && (isTaken || has(entity, after.name))
    })
    if (!placer) return
    bot.emit('placing', { from: placer.username, block: after.name, ...place(bot, after) })
  })

  for (const [event, told] of [['entityHurt', 'wounded'], ['entityDead', 'fallen']]) {
    bot.on(event, entity => {
      if (entity?.type !== 'player' || entity === bot.entity) return
      bot.emit(told, { from: entity.username, ...place(bot, entity) })
    })
  }
}

function place ({ dimensionName, game }, { position: { x, y, z } }) {
  return { where: [x, y, z], dimension: dimensionName || game.dimension }
}

function heldBy (entity) {
  return entity.equipment?.[0]?.name
}

module.exports = others
