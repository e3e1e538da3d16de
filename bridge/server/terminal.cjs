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

// What goes wrong with each packet of a player must not fill the disk.
const MAX_STDERR_BYTES = 5e6
const write = process.stderr.write.bind(process.stderr)
let room = MAX_STDERR_BYTES
process.stderr.write = (chunk, encoding, done) => {
  if (room > 0) {
    room -= chunk.length
    if (room <= 0) chunk = 'log full: nothing more from this process\n'
    return write(chunk, encoding, done)
  }
  const told = typeof encoding === 'function' ? encoding : done
  if (told) process.nextTick(told)
  return true
}
process.stderr.on('error', () => {}) // on a full disk what is printed is lost, and nothing else

// expected: Node tells a deprecation once, and through process.stderr
// actual:   Node 24 tells that of promisify each time a player is loaded or the world saved, and its
//           own listener writes past process.stderr, so that no size holds
// remove when: flying-squid and prismarine-provider-anvil no longer promisify what is async
const warnedOf = new Set()
process.removeAllListeners('warning')
process.on('warning', warning => {
  const kind = warning.code ?? warning.name
  if (warnedOf.has(kind)) return
  warnedOf.add(kind)
  console.error(`(${kind}, told once) ${warning.message}`)
})

/** Write one line the parent can tell from noise. */
function tell (message) {
  output.write(`@@${JSON.stringify(message)}\n`)
}

module.exports = { input, tell }
