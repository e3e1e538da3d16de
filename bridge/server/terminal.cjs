'use strict'
// Keeps stdin and stdout for our own lines; must be required before flying-squid.
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

/** Write one line the parent can tell from noise. */
function tell (message) {
  output.write(`@@${JSON.stringify(message)}\n`)
}

module.exports = { input, tell }
