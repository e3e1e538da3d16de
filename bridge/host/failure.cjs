'use strict'
// How an action ends other than well: refused by the world, or ended from outside.

/** The world said no. `reason` is one of `FailureReason` in bridge/events.py. */
class ActionFailure extends Error {
  constructor (reason, message, result = {}) {
    super(message)
    this.name = 'ActionFailure'
    this.reason = reason
    this.result = result
  }
}

/** Why an action's signal was aborted; `outcome` is one of `Outcome` in bridge/events.py. */
class Ended extends Error {
  constructor (outcome, message = '', reason = null, result = {}) {
    super(message || outcome)
    this.name = 'Ended'
    this.outcome = outcome
    this.reason = reason
    this.result = result
  }
}

module.exports = { ActionFailure, Ended }
