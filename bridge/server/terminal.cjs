'use strict'
// Keeps stdin, stdout and signals for ourselves; must be required before flying-squid.
//
// expected: a library leaves the standard streams to its program
// actual:   flying-squid opens a readline console on both as soon as it is required, runs what it
//           reads as server commands, and writes a prompt and cursor codes
// remove when: flying-squid can be started without a console

const { PassThrough, Writable } = require('node:stream')

const input = process.stdin
const output = process.stdout

Object.defineProperty(process, 'stdin', { value: new PassThrough(), configurable: true })
Object.defineProperty(process, 'stdout', {
  value: new Writable({ write: (chunk, encoding, done) => done() }),
  configurable: true
})
console.log = console.error

// expected: a library leaves the signals to its program
// actual:   exit-hook, which flying-squid uses, ends the process before the players are told
// remove when: flying-squid no longer registers an exit hook
const once = process.once
process.once = (event, listener) =>
  /^SIG(TERM|INT)$/.test(event) ? process : once.call(process, event, listener)

/** Write one line the parent can tell from noise. */
function tell (message) {
  output.write(`@@${JSON.stringify(message)}\n`)
}

module.exports = { input, tell }
