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
  const message = error?.message ?? String(error)
  if (!(error instanceof Refusal)) return { code: 'internal', message, data: {} }
  return { code: error.code, message, data: error.data }
}

module.exports = { Refusal, asReply }
