'use strict'
// A server that says what a vanilla server said, byte for byte (recorded/README.md). Its own are
// the login phase, how the bot fares, and where it stands: in the chunk that was recorded.
//
//   node recorded.cjs '{"version": "1.20.1", "folder": "…"}'      orders as server.cjs
const readline = require('node:readline')
const { load } = require('./packages.cjs')
const { bytes, packets } = require('./recording.cjs')

const mc = load('minecraft-protocol')
const { version, folder } = JSON.parse(process.argv[2])
const FIRST = ['login', 'custom_payload', 'difficulty', 'abilities', 'held_item_slot', 'tags', 'declare_commands',
  'player_info', 'server_data', 'update_view_position']
const THEN = ['spawn_position', 'update_time', 'window_items', 'map_chunk', 'map_chunk_bulk',
  'update_light', 'named_entity_spawn', 'spawn_entity', 'spawn_entity_living', 'entity_metadata', 'entity_equipment', 'entity_effect',
  'scoreboard_objective', 'boss_bar', 'unlock_recipes', 'advancements']

const server = mc.createServer({
  host: '127.0.0.1',
  port: 0,
  version,
  'online-mode': false,
  hideErrors: true,
  errorHandler: () => {} // clients leave as they like
})
let current

server.on('listening', () => tell({ t: 'listening', port: server.socketServer.address().port }))
server.on('playerJoin', client => {
  current = client
  for (const name of FIRST) say(name)
  client.write('position', { ...place(), yaw: 0, pitch: 0, flags: 0, teleportId: 7, dismountVehicle: false })
  client.write('update_health', { health: 20, food: 20, foodSaturation: 5 })
  for (const name of THEN) say(name)
})
readline.createInterface({ input: process.stdin }).on('close', () => process.exit(0)).on('line', line => {
  const { n, name, health } = JSON.parse(line)
  if (name) say(name)
  else current.write('update_health', { health, food: 20, foodSaturation: 5 })
  tell({ t: 'done', n })
})

function say (name) {
  for (const raw of bytes(folder, version, name)) current.writeRaw(raw)
}

function place () {
  const [chunk] = ['map_chunk_bulk', 'map_chunk'].flatMap(name => packets(folder, version, name)) // 1.8 sends both
  const { x, z } = chunk.meta?.[0] ?? chunk
  return { x: x * 16 + 8.5, y: 100, z: z * 16 + 8.5 }
}

function tell (message) {
  process.stdout.write(JSON.stringify(message) + '\n')
}
