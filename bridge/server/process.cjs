'use strict'
// A server from start to end: settings in, readiness out, faults to stderr, an orderly end.

const { load } = require('./packages.cjs')
const { parse, forFlyingSquid } = require('./settings.cjs')
const survival = require('./survival.cjs')
const admin = require('./admin.cjs')
const sending = require('./sending.cjs')

const FAREWELL_MS = 1200

module.exports = function run (argument, input, tell) {
  const settings = parse(argument)
  const { createMCServer } = load('flying-squid')
  const serv = createMCServer(forFlyingSquid(settings))
  reportFaults(serv, tell)
  sending(serv)
  const rules = survival(serv, settings)
  serv.once('ready', () => {
    endOnRequest(serv, rules, input)
    admin(serv, rules, input, tell)
    tell({ ready: true, port: serv.listeningPort, pid: process.pid })
  })
}

function reportFaults (serv, tell) {
  serv.on('error', error => {
    console.error('[server]', error.stack)
    if (serv.isReady) return
    tell({ ready: false, code: error.code, message: error.message })
    process.exit(1)
  })
  serv.on('clientError', (client, error) => console.error(`[${client.username}]`, error.message))
  // flying-squid rethrows the fault of one player's packet into the process; the world goes on
  process.on('uncaughtException', error => console.error('[uncaught]', error.stack))
  process.on('unhandledRejection', error => console.error('[unhandled]', error))
}

function endOnRequest (serv, rules, input) {
  let ending = false
  const end = () => {
    if (!ending) farewell(serv, rules)
    ending = true
  }
  for (const source of ['SIGTERM', 'SIGINT']) process.on(source, end)
  for (const event of ['end', 'error']) input.on(event, end)
}

async function farewell (serv, rules) {
  setTimeout(() => process.exit(0), FAREWELL_MS)
  try {
    await serv.quit('Server closed')
    await rules.save()
  } catch (error) {
    console.error('[farewell]', error)
  }
  process.exit(0)
}
