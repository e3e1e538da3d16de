'use strict'
// Keeps the standard streams clean: stderr is the wire to Python, so only the bridge's own
// frames may pass; whatever else is printed goes to the log file, up to a size.
const { Console } = require('node:console')
const fs = require('node:fs')
const { Writable } = require('node:stream')

const MAX_LOG_BYTES = 5e6

const logPath = process.env.TOWNSFOLK_HOST_LOG
let room = MAX_LOG_BYTES
const file = logPath ? openLog(logPath) : null

function openLog (path) {
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) fs.renameSync(path, path + '.1')
  return fs.openSync(path, 'a', 0o600)
}

/** Write to the log file; when it has its size, nothing more. What does not fit on the disk is
 * dropped: a package that prints must not end the bots. */
function log (text) {
  if (file === null || room <= 0) return
  const line = room > text.length ? text : '\nlog full: nothing more from this process\n'
  room -= text.length
  try {
    fs.writeSync(file, line)
  } catch {}
}

/** Log an error with its stack, and what it happened to. */
function logError (what, error) {
  log(`${new Date().toISOString()} ${what}: ${(error && error.stack) || error}\n`)
}

function isFrame (chunk) {
  return typeof chunk === 'string' && chunk.startsWith('{"r"') && chunk.endsWith('\n')
}

function divert (stream, passes) {
  const write = stream.write.bind(stream)
  stream.write = (chunk, encoding, done) => {
    if (passes(chunk)) return write(chunk, encoding, done)
    log(String(chunk))
    const told = typeof encoding === 'function' ? encoding : done
    if (told) process.nextTick(told)
    return true
  }
}

/** From now on stdout and stderr carry nothing but the bridge's frames. */
function keepClean () {
  divert(process.stderr, isFrame)
  divert(process.stdout, () => false)
  // Through a console of its own: a chat line that looks like a frame must not pass as one.
  const sink = new Writable({ write: (chunk, encoding, done) => { log(String(chunk)); done() } })
  globalThis.console = new Console(sink)
  process.removeAllListeners('warning') // Node's own listener writes past process.stderr
  process.on('warning', warning => logError('warning', warning))
}

module.exports = { keepClean, log, logError }
