'use strict'
// How many checkers of protocols there are once a player has channels: each is compiled for a
// twentieth of a second, and takes up to a megabyte until the player has gone.
const { EventEmitter } = require('node:events')
const path = require('node:path')
const { queryObjects } = require('node:v8')

const OURS = path.join(__dirname, '..', '..', 'bridge', 'server')
const { forFlyingSquid, parse } = require(path.join(OURS, 'settings.cjs'))
const { load } = require(path.join(OURS, 'packages.cjs'))
const addChannels = load('minecraft-protocol/src/client/pluginChannels')
const Checker = load('protodef-validator')

const others = queryObjects(Checker) // of protodef itself
const client = Object.assign(new EventEmitter(), { write () {} })
addChannels(client, forFlyingSquid(parse()))
process.stdout.write(JSON.stringify(queryObjects(Checker) - others))
