'use strict'
// A command that cannot be carried out, as the error reply Python turns into an exception.

/** `code` is one of wire.py's; `data` carries the facts the exception is made from. */
class Refusal extends Error {
  constructor (code, message, data = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.data = data
  }
}

/** Any thrown value as {code, message, data}. */
function asReply (error) {
  const { code = 'internal', message = String(error), data = {} } = error ?? {}
  return error instanceof Refusal ? { code, message, data } : { code: 'internal', message, data: {} }
}

module.exports = { Refusal, asReply }
