'use strict'
// The embedded server's process: one JSON argument (settings.cjs), one readiness line on stdout,
// then the admin protocol (admin.cjs) on stdin and stdout until stdin closes or SIGTERM comes.

const { input, tell } = require('./terminal.cjs')
const { load } = require('./packages.cjs')
const { parse, forFlyingSquid } = require('./settings.cjs')
const survival = require('./survival.cjs')
const admin = require('./admin.cjs')

const FAREWELL_MS = 1000

function main () {
  const settings = parse(process.argv[2])
  const { createMCServer } = load('flying-squid')
  const serv = createMCServer(forFlyingSquid(settings))
  reportFaults(serv)
  const rules = survival(serv, settings)
  serv.once('ready', () => {
    endOnRequest(serv)
    admin(serv, rules, input, tell)
    tell({ ready: true, port: serv.listeningPort, pid: process.pid })
  })
}

function reportFaults (serv) {
  serv.on('error', error => {
    console.error('[server]', error.stack)
    if (!serv.isReady) fail(error)
  })
  serv.on('clientError', (client, error) => console.error(`[${client.username}]`, error.message))
  // flying-squid rethrows the fault of one player's packet into the process; the world goes on
  process.on('uncaughtException', error => console.error('[uncaught]', error.stack))
  process.on('unhandledRejection', error => console.error('[unhandled]', error))
}

function fail (error) {
  tell({ ready: false, code: error.code || 'error', message: error.message })
  process.exit(1)
}

function endOnRequest (serv) {
  const end = once(() => farewell(serv))
  for (const signal of ['SIGTERM', 'SIGINT']) {
    // exit-hook, a package of flying-squid, would exit before the kicks are written
    process.removeAllListeners(signal)
    process.on(signal, end)
  }
  input.on('end', end)
  input.on('error', end)
}

async function farewell (serv) {
  setTimeout(() => process.exit(0), FAREWELL_MS)
  await serv.quit('Server closed').catch(error => console.error('[farewell]', error))
  process.exit(0)
}

function once (action) {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}

try {
  main()
} catch (error) {
  fail(error)
}
