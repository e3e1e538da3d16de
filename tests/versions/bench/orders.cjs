'use strict'
// What a test may have the server do: {op, ...fields}.
const arriving = require('./arriving.cjs')
const beings = require('./beings.cjs')
const dying = require('./dying.cjs')
const { FARAWAY, STEVE } = require('./players.cjs')

const TICK_MS = 50

/** The orders by name; each takes its fields and returns at once. */
function orders (scene, players) {
  const { data, world } = scene

  function health ({ player, health, food = 20 }) {
    const one = players.find(player)
    one.food = food
    if (health === 0) dying.announce(scene, one, { key: 'death.attack.generic' })
    one.client.write('update_health', { health, food, foodSaturation: 0 })
  }

  // As vanilla orders it: the arm and the health in one tick, the push in the next.
  function blow ({ player, by, way, health }) {
    const { client, id } = players.find(player)
    if (by !== undefined) client.write(...beings.swing(by))
    client.write('update_health', { health, food: 20, foodSaturation: 0 })
    if (way) setTimeout(() => client.write(...beings.push(scene, id, way)), TICK_MS)
  }

  // Vanilla tells how one died before it empties the bag, and the health last.
  function die ({ player, empties, ...how }) {
    const one = players.find(player)
    dying.announce(scene, one, how)
    if (empties) {
      one.slots = players.emptySlots()
      players.sendInventory(one)
    }
    one.client.write('update_health', { health: 0, food: 20, foodSaturation: 0 })
  }

  function damage ({ player, type, by, health }) {
    const { client, id } = players.find(player)
    client.write(...dying.damageEvent(scene, id, type, by))
    client.write('update_health', { health, food: 20, foodSaturation: 0 })
  }

  function teleport ({ player, at: [x, y, z] }) {
    players.put(players.find(player), { x, y, z })
  }

  function line ({ to, shape, text, from = 'Steve' }) {
    const hearer = players.find(to)
    const speaker = from === 'Steve' ? STEVE : { ...FARAWAY, name: from }
    players.line(hearer.client, shape, { from: speaker, to: hearer, text })
  }

  // Velocity and BungeeCord move a player: from 1.20.2 on through the configuration phase again,
  // before by another login and a respawn.
  function move ({ player }) {
    const one = players.find(player)
    if (data.supportFeature('hasConfigurationState')) return one.client.write('start_configuration', {})
    players.enter(one)
    one.client.write('respawn', arriving.respawnPacket(scene, 'overworld'))
    players.settle(one, arriving.SPAWN)
    scene.tell({ t: 'moved', name: player })
  }

  function dimension ({ player, name, world }) {
    const one = players.find(player)
    one.world = world ?? name
    one.client.write('respawn', arriving.respawnPacket(scene, name, world))
    players.settle(one, arriving.SPAWN)
    for (const other of players.others(one)) { // who moves is told nothing of who stays
      players.hide(one, other)
      other.seenBy.delete(one)
    }
    players.look(one)
  }

  return {
    health,
    blow,
    die,
    announce: ({ player, to, ...how }) => dying.announce(scene, players.find(player), how, players.find(to)),
    damage,
    air: ({ player, ticks }) => {
      const { client, id } = players.find(player)
      client.write(...beings.known(scene, id, { air: ticks }))
    },
    status: ({ player, status, of }) => {
      const { client, id } = players.find(player)
      client.write('entity_status', { entityId: of ?? id, entityStatus: status })
    },
    teleport,
    hold: ({ player, at: [x, y, z], within = 1, times = Infinity }) => {
      players.find(player).holding = { at: { x, y, z }, within, times: times ?? Infinity }
    },
    lag: ({ player, ms }) => { players.find(player).lagMs = ms },
    refuse: ({ player, what, says }) => Object.assign(players.find(player), { says }).refuses.add(what),
    vanish: ({ player, id }) => players.find(player).client.write('entity_destroy', { entityIds: [id] }),
    leave: ({ player, id, at: [x, y, z] }) => {
      const uuid = `88888888-2222-3333-8444-${String(id).padStart(12, '0')}`
      players.find(player).client.write(...beings.lying(scene, { uuid, id, at: { x, y, z } }))
    },
    leash: ({ player, id, to }) => {
      const loose = data.version['>=']('1.14') ? 0 : -1
      players.find(player).client.write('attach_entity', { entityId: id, vehicleId: to ?? loose, leash: true })
    },
    line,
    move,
    dimension,
    give: ({ player, item, count }) => players.give(players.find(player), item, count),
    kick: ({ player, component }) => players.kick(players.find(player), component),
    deny: ({ component }) => { scene.config.denyAtLogin = component }, // who knocks from now on
    cut: ({ player }) => players.find(player).client.socket.destroy(),
    set_block: ({ at: [x, y, z], name }) => players.setBlock({ x, y, z }, name === 'air' ? 0 : world.state(name)),
    pack: ({ player }) => arriving.sendPack(players.find(player).client, scene),
    mob: ({ player, name, id, at: [x, y, z] }) => {
      const uuid = `22222222-2222-3333-8444-${String(id).padStart(12, '0')}`
      players.find(player).client.write(...beings.mob(scene, { name, uuid, id, at: { x, y, z } }))
    }
  }
}

module.exports = { orders }
