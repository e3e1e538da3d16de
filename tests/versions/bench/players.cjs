'use strict'
// Who is here: arriving, seeing each other, carrying, saying, digging.
const arriving = require('./arriving.cjs')
const beings = require('./beings.cjs')
const { Fishing } = require('./fishing.cjs')
const OLD_NAMES = require('./old_names.cjs')
const { load } = require('./packages.cjs')
const { Signing, tellCommand } = require('./signing.cjs')
const talking = require('./talking.cjs')

const VIEW = 48 // blocks
const BREAD = 5 // food points
const ILLEGAL = /[\x00-\x1f\x7f\xa7]/ // eslint-disable-line no-control-regex

// Who no client stands behind, and what lies about (config.cast).
const STEVE = { name: 'Steve', uuid: '5627dd98-e6be-3c21-b8a8-e92344183641', id: 1001, at: { x: 12.5, y: 64, z: 8.5 } }
const FARAWAY = { name: 'Faraway', uuid: '11111111-2222-3333-8444-555555555555', id: 1002, at: { x: 999, y: 64, z: 999 } }
const SHEEP = { name: 'sheep', uuid: '44444444-2222-3333-8444-555555555555', id: 1005, at: { x: 3.5, y: 64, z: 2.5 } }
const MOBS = [
  { name: 'zombie', uuid: '22222222-2222-3333-8444-555555555555', id: 1003, at: { x: 14.5, y: 64, z: 14.5 } },
  { name: 'cow', uuid: '33333333-2222-3333-8444-555555555555', id: 1004, at: { x: 2.5, y: 64, z: 2.5 } },
  SHEEP
]
const BLACK = 15 // wool
const DIRT = { uuid: '66666666-2222-3333-8444-555555555555', id: 1006, at: { x: 6.5, y: 64, z: 8.5 } }
const UNTOLD = { uuid: '77777777-2222-3333-8444-555555555555', id: 1007, at: { x: 5.5, y: 64, z: 8.5 } }

class Players {
  constructor (scene) {
    this.scene = scene
    this.byName = new Map()
    this.cast = scene.config.cast ? [STEVE, FARAWAY] : []
    this.Item = load('prismarine-item')(scene.data)
    this.entities = 76
    this.teleports = 0
    this.fishing = new Fishing(scene, (player, name, count) => this.give(player, name, count))
  }

  /** The one of this name, or whoever came last. */
  find (name) {
    const player = name === undefined ? [...this.byName.values()].at(-1) : this.byName.get(name)
    if (!player) throw new Error(`nobody is here under the name ${name}`)
    return player
  }

  others (player) {
    return [...this.byName.values()].filter(other => other !== player)
  }

  // --- coming and going --------------------------------------------------------------

  /** A client logged in, or a proxy moved it. */
  joined (client) {
    const known = [...this.byName.values()].find(player => player.client === client)
    if (!known) return this.arrive(client)
    this.enter(known)
    this.scene.tell({ t: 'moved', name: known.name })
  }

  arrive (client) {
    const { username: name, uuid } = client
    const player = {
      name,
      uuid,
      client,
      id: ++this.entities,
      at: { ...arriving.SPAWN },
      world: 'overworld',
      food: 20,
      slots: this.emptySlots(),
      hand: 36,
      held: null, // as those who see them were told
      seenBy: new Set(),
      since: performance.now(),
      walkedCm: 0,
      refuses: new Set(), // digging, breaks, moves, clicks, statistics
      signing: this.scene.config.isSecure ? new Signing(uuid, this.scene.config.mojangKey) : null
    }
    this.byName.set(name, player)
    this.scene.tell({ t: 'join', name })
    client.on('packet', (packet, { name: kind }) => {
      if (player.lagMs) setTimeout(() => this.heed(player, kind, packet), player.lagMs)
      else this.heed(player, kind, packet)
    })
    client.on('end', () => this.gone(player))
    this.enter(player)
    if (player.signing) client.write(...tellCommand())
    for (const other of this.others(player)) other.client.write(...beings.listed(this.scene, [player]))
    this.look(player)
  }

  enter (player) {
    const { scene } = this
    const { client } = player
    client.write('login', arriving.loginPacket(scene, player.id))
    if (!scene.data.supportFeature('hasConfigurationState')) this.brand(client)
    client.write('difficulty', { difficulty: 'easy', difficultyLocked: false })
    client.write('abilities', { flags: 0, flyingSpeed: 0.05, walkingSpeed: 0.1 })
    client.write('held_item_slot', { slot: 0 })
    client.write(...beings.listed(scene, [...this.byName.values(), ...this.cast]))
    this.settle(player, arriving.SPAWN)
    client.write('spawn_position', arriving.spawnPacket(scene))
    client.write('update_time', arriving.timePacket(scene, 6000))
    this.sendInventory(player)
    client.write('update_health', { health: 20, food: 20, foodSaturation: 5 })
    if (this.cast.length) this.showCast(client)
  }

  showCast (client) {
    const { scene } = this
    const say = packet => client.write(...packet)
    say(beings.player(scene, STEVE))
    say(beings.known(scene, STEVE.id, { health: 17 }))
    for (const mob of MOBS) say(beings.mob(scene, mob))
    const isOld = !scene.data.version['>=']('1.9')
    say(beings.known(scene, SHEEP.id, { baby: isOld ? -1 : true, flags: BLACK }))
    for (const one of [DIRT, UNTOLD]) say(beings.lying(scene, one))
    const dirt = new this.Item(scene.data.itemsByName.dirt.id, 5)
    say(beings.known(scene, DIRT.id, { stack: this.Item.toNotch(dirt) }))
  }

  gone (player) {
    this.scene.tell({ t: 'leave', name: player.name })
    if (this.byName.get(player.name) === player) this.byName.delete(player.name)
    for (const other of this.byName.values()) {
      this.hide(player, other)
      other.seenBy.delete(player)
      other.client.write(...beings.unlisted(this.scene, player))
    }
  }

  brand (client) {
    const { data, config } = this.scene
    const channel = data.supportFeature('customChannelIdentifier') ? 'minecraft:brand' : 'MC|Brand'
    client.write('custom_payload', { channel, data: arriving.brand(config.brand) })
  }

  /** Put a player somewhere with the world around. */
  settle (player, at) {
    const { scene } = this
    const { client } = player
    const since = scene.data.version['>=']
    player.at = { ...at }
    client.write('position', arriving.positionPacket(scene, at, ++this.teleports))
    if (since('1.20.3')) client.write('game_state_change', { reason: 'level_chunks_load_start', gameMode: 0 })
    this.centre(player, at)
    if (since('1.20.2')) client.write('chunk_batch_start', {})
    const chunks = [...scene.world.chunks()]
    for (const chunk of chunks) client.write('map_chunk', chunk)
    if (since('1.20.2')) client.write('chunk_batch_finished', { batchSize: chunks.length })
  }

  // --- who sees whom -----------------------------------------------------------------

  place (player, at) {
    player.at = at
    this.look(player)
  }

  look (player) {
    for (const other of this.others(player)) {
      for (const [whom, viewer] of [[player, other], [other, player]]) {
        if (isNear(whom, viewer)) this.show(whom, viewer)
        else this.hide(whom, viewer)
      }
    }
  }

  show (whom, viewer) {
    const { scene } = this
    if (whom.seenBy.has(viewer)) return viewer.client.write(...beings.moved(scene, whom.id, whom.at))
    whom.seenBy.add(viewer)
    viewer.client.write(...beings.player(scene, whom))
    if (whom.held) this.showHeld(whom, viewer)
  }

  showHeld (whom, viewer) {
    viewer.client.write(...beings.held(this.scene, whom.id, this.Item.toNotch(whom.held)))
  }

  hide (whom, viewer) {
    if (whom.seenBy.delete(viewer)) viewer.client.write('entity_destroy', { entityIds: [whom.id] })
  }

  // --- what is carried ---------------------------------------------------------------

  emptySlots () {
    return new Array(this.scene.data.version['>=']('1.9') ? 46 : 45).fill(null)
  }

  sendInventory (player) {
    const items = player.slots.map(item => this.Item.toNotch(item))
    player.client.write('window_items', { windowId: 0, stateId: 1, items, carriedItem: this.Item.toNotch(null) })
    this.hold(player, player.hand)
  }

  /** A slot is the main hand now; whoever sees them is told if it holds something else. */
  hold (player, slot) {
    player.hand = slot
    const item = player.slots[slot]
    if (item === player.held) return
    player.held = item
    for (const viewer of player.seenBy) this.showHeld(player, viewer)
  }

  give (player, name, count) {
    const { data } = this.scene
    const [id, metadata] = (!data.supportFeature('blockStateId') && OLD_NAMES[name]) || [data.itemsByName[name]?.id, 0]
    const kind = data.items[id]
    if (!kind) throw new Error(`no item ${name}`)
    for (let slot = 36, left = count; left > 0; slot = slot === 44 ? 9 : slot + 1) {
      if (player.slots[slot]) continue
      player.slots[slot] = new this.Item(id, Math.min(left, kind.stackSize), metadata)
      left -= kind.stackSize
    }
    this.sendInventory(player)
  }

  // --- what players do ---------------------------------------------------------------

  heed (player, kind, packet) {
    const refusal = player.signing?.heed(kind, packet)
    if (refusal) return this.kick(player, refusal)
    if (/^position/.test(kind)) this.moved(player, { x: packet.x, y: packet.y, z: packet.z })
    else if (/^chat(_message|_command|_command_signed)?$/.test(kind)) this.spoke(player, kind, packet)
    else if (kind === 'client_command') this.commanded(player, packet.actionId ?? packet.payload)
    else if (kind === 'block_dig') this.dug(player, packet)
    else if (kind === 'held_item_slot') this.hold(player, 36 + packet.slotId)
    else if (kind === 'use_item' || (kind === 'block_place' && packet.location.x === -1)) this.use(player)
    else if (kind === 'window_click') this.clicked(player, packet)
    else if (kind === 'resource_pack_receive' && player.client.state === 'play') {
      arriving.tellOfPack(this.scene, player.client, packet)
    }
  }

  // Who is held is put back, so many times.
  moved (player, { x, y, z }) {
    const { holding } = player
    if (player.refuses.has('moves')) return
    player.walkedCm += 100 * Math.hypot(x - player.at.x, z - player.at.z)
    const isAway = holding?.times > 0 && Math.hypot(x - holding.at.x, z - holding.at.z) > holding.within
    if (!isAway) return this.step(player, { x, y, z })
    holding.times--
    this.put(player, holding.at)
  }

  // As vanilla tells since 1.14, into which chunk.
  step (player, at) {
    const isOther = player.at.x >> 4 !== at.x >> 4 || player.at.z >> 4 !== at.z >> 4
    if (isOther) this.centre(player, at)
    this.place(player, at)
  }

  centre ({ client }, { x, z }) {
    if (this.scene.data.version['>=']('1.14')) client.write('update_view_position', { chunkX: x >> 4, chunkZ: z >> 4 })
  }

  /** Have a player stand somewhere else. */
  put (player, at) {
    player.client.write('position', arriving.positionPacket(this.scene, at, ++this.teleports, true))
    this.step(player, at)
  }

  use (player) {
    if (player.slots[player.hand]?.name === 'fishing_rod') this.fishing.use(player)
    else this.eat(player)
  }

  // At once, without vanilla's 1.6 s.
  eat (player) {
    const item = player.slots[player.hand]
    if (item?.name !== 'bread') return
    player.slots[player.hand] = item.count > 1 ? new this.Item(item.type, item.count - 1) : null
    this.sendInventory(player)
    player.food += BREAD
    player.client.write('update_health', { health: 20, food: player.food, foodSaturation: 5 })
  }

  // Up to 1.16 a click waits for its answer; what it moved is the client's own guess.
  clicked (player, { windowId, action }) {
    const { client, refuses } = player
    if (refuses.has('clicks')) this.sendInventory(player)
    if (!this.scene.data.supportFeature('transactionPacketExists')) return
    client.write('transaction', { windowId, action, accepted: true })
  }

  spoke (player, kind, packet) {
    const isTyped = this.scene.data.version['>=']('1.19')
    const sent = packet.message ?? `/${packet.command}`
    const text = isTyped ? sent : sent.trim().replace(/\s+/g, ' ') // vanilla's normalizeSpace
    const [, to, words] = /^\/(?:tell|msg|w) (\S+) (.*)$/s.exec(text) ?? []
    this.scene.tell({ t: 'said', name: player.name, packet: kind, to, text: words ?? text })
    if (ILLEGAL.test(text)) return this.kick(player, { translate: 'multiplayer.disconnect.illegal_characters' })
    if (to) return this.whisper(player, to, words)
    if (text.startsWith('/')) return
    for (const { client } of this.byName.values()) this.line(client, 'vanilla_public', { from: player, text })
  }

  whisper (from, name, text) {
    const to = this.byName.get(name) ?? this.cast.find(one => one.name === name)
    if (!to) return this.line(from.client, 'not_found', {})
    this.line(from.client, 'outgoing', { from, to, text })
    if (to.client) this.line(to.client, 'vanilla_whisper', { from, to, text })
  }

  line (client, shape, told) {
    client.write(...talking.line(this.scene, shape, told))
  }

  commanded (player, what) {
    if (what === 'request_stats' && !player.refuses.has('statistics')) this.account(player)
    if ((what !== 'perform_respawn' && what !== 0) || this.scene.config.leavesDead) return
    player.client.write('respawn', arriving.respawnPacket(this.scene, 'overworld'))
    this.settle(player, arriving.SPAWN)
    this.sendInventory(player)
    if (this.scene.config.revivesSilently) return // as Cuberite: the client begins at full health
    player.client.write('update_health', { health: 20, food: 20, foodSaturation: 5 })
  }

  // As Cuberite tells them: names up to 1.12, numbers from 1.13 on.
  account ({ client, since, walkedCm }) {
    const isNamed = !this.scene.data.version['>=']('1.13')
    const ticks = Math.floor((performance.now() - since) / 50)
    const counted = [['stat.playOneMinute', 1, ticks], ['stat.walkOneCm', 5, walkedCm]]
    const entries = counted.map(([name, statisticId, value]) => isNamed ? { name, value } : { categoryId: 8, statisticId, value })
    client.write('statistics', { entries: entries.map(entry => ({ ...entry, value: Math.round(entry.value) })) })
  }

  dug (player, { status, location, sequence }) {
    const { client, refuses, says } = player
    const { data, world } = this.scene
    const since = data.version['>=']
    if (since('1.19')) client.write('acknowledge_player_digging', { sequenceId: sequence })
    if (status !== 2 || refuses.has('breaks')) return
    const isRefused = refuses.has('digging')
    if (isRefused && says) this.line(client, 'tellraw', { to: player, text: says })
    const left = isRefused ? world.at(location) : 0
    this.setBlock(location, left)
    if (since('1.14') && !since('1.19')) {
      client.write('acknowledge_player_digging', { location, block: left, status: 2, successful: !isRefused })
    }
  }

  setBlock ({ x, y, z }, state) {
    this.scene.world.set({ x, y, z }, state)
    for (const { client } of this.byName.values()) {
      client.write('block_change', { location: { x, y, z }, type: state })
    }
  }

  kick ({ client }, component) {
    client.write('kick_disconnect', { reason: this.scene.text(component) })
    setTimeout(() => client._end('kicked'), 50)
  }
}

function isNear (one, other) {
  return one.world === other.world && Math.hypot(one.at.x - other.at.x, one.at.z - other.at.z) <= VIEW
}

module.exports = { FARAWAY, Players, STEVE }
