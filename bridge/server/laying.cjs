'use strict'
// Hens lay an egg every five to ten minutes, as in vanilla; where nobody is near they lay none.

const { isSeen } = require('./grazing.cjs')

const LATEST = 2 // so many times as long as the soonest an egg may take

module.exports = function laying (serv, { items, dropped }, { layMs }) {
  /** Have a hen lay for as long as it lives. */
  return function keepHen (hen) {
    const ms = layMs * (1 + Math.random() * (LATEST - 1))
    setTimeout(() => {
      if (serv.entities[hen.id] !== hen) return
      if (isSeen(serv, hen)) dropped.drop(hen.world, hen.position.offset(0, 0.3, 0), items.named('egg'))
      keepHen(hen)
    }, ms).unref()
  }
}
