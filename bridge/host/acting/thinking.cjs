'use strict'
// A bot walks on while the search for its way still thinks: what lies behind of each better way.

/** expected: a better way leads on from the last step that was gone
 *  actual:   mineflayer-pathfinder (2.4.5) begins it at the nearest step. Around a corner, that may
 *            be one which the corner bars, and the bot is stuck.
 *  remove when: only steps that were gone are left out of a way */
class Thinking {
  constructor () {
    this.search = null
    this.gone = [] // steps since the search began
    this.way = [] // the pathfinder's own: it takes off what was gone
    this.given = [] // the same, whole
  }

  /** Take a result of the pathfinder; its path leads on from the last step gone. */
  follow (result) {
    if (result.context === this.search) this.leadOn(result)
    else this.begin(result.context)
    this.way = result.path
    this.given = [...result.path]
  }

  begin (search) {
    this.search = search
    this.gone = []
    const { compute } = search
    search.compute = () => {
      const result = compute.call(search)
      return { ...result, whole: [...result.path] }
    }
  }

  leadOn ({ path, whole }) {
    this.gone.push(...this.given.slice(0, this.given.length - this.way.length))
    const isOnWay = this.gone.every(({ hash }, index) => hash === whole[index]?.hash)
    if (isOnWay) path.splice(0, path.length, ...whole.slice(this.gone.length))
  }
}

module.exports = { Thinking }
