'use strict'
// What the parent may do and ask. Positions are x, y, z; items are [name, count].

const { load } = require('./packages.cjs')
const { stateOf } = require('./doors.cjs')

const { Vec3 } = load('vec3')

const FULL = 20

module.exports = function operations (serv, rules) {
  const { own, chat, items, inventory, dropped, containers, death, strike, difficulty, animals, monsters, alive, clear } = rules

  function the (name) {
    const found = serv.getPlayer(name)
    if (!found) throw new Error(`no player ${name}`)
    return found
  }

  async function setblock ({ x, y, z, block, properties = {} }) {
    if (!serv.registry.blocksByName[block]) throw new Error(`unknown block ${block}`)
    const stateId = stateOf(serv, block, properties)
    await serv.setBlock(serv.overworld, new Vec3(x, y, z), stateId)
  }

  return {
    /** It is there and at work. */
    ping: () => null,
    /** From the next time it joins, a player of this name is one of our bots. */
    own: ({ player }) => { own.add(player) },
    players: () => serv.players.filter(({ listed }) => listed).map(row),
    inventory: ({ player }) => inventory.all(the(player)).map(item => [item.slot, ...pair(item)]),
    /** Answers how many found no room. */
    give ({ player, item, count = 1 }) {
      const rest = inventory.add(the(player), items.named(item, count))
      return rest ? rest.count : 0
    },
    clear: ({ player, item }) => clear(the(player), item),
    teleport: ({ player, x, y, z }) => the(player).teleport(new Vec3(x, y, z)),
    health: ({ player, level }) => the(player).updateHealth(level),
    feed: ({ player, level = FULL }) => the(player).updateFood(level),
    damage: ({ player, amount }) => death.hurt(the(player), amount),
    /** As the world hurts: with the pause between two blows, and not on peaceful. */
    hurt: ({ player, amount, key }) => strike(the(player), amount, { key }),
    /** Set it, if one is named; how it is. */
    difficulty: ({ level }) => {
      if (level) difficulty.set(level)
      return difficulty.name()
    },
    kill: ({ player }) => death.kill(the(player)),
    gamemode: ({ player, mode }) => the(player).setGameMode(mode),
    kick: ({ player, reason = 'Kicked by an operator' }) => chat.kick(the(player), { text: reason }),
    time: ({ value }) => serv.setTime(value),
    setblock,
    block: async ({ x, y, z }) => (await serv.overworld.getBlock(new Vec3(x, y, z))).name,
    properties: async ({ x, y, z }) => (await serv.overworld.getBlock(new Vec3(x, y, z))).getProperties(),
    container: ({ x, y, z }) => containers.at(new Vec3(x, y, z))?.slots.map(item => item && pair(item)),
    drops: () => [...dropped.lying].map(({ stack, position: { x, y, z } }) => [...pair(stack), [x, y, z]]),
    animals: () => animals.list(),
    animal: ({ kind, x, y, z }) => animals.put(kind, new Vec3(x, y, z)),
    /** Answers the number of its entity. */
    summon: ({ kind, x, y, z, young }) => monsters.put(kind, new Vec3(x, y, z), young),
    monsters: () => monsters.list(),
    /** How much is held in memory that could grow. */
    holding: () => ({
      players: serv.players.length,
      entities: Object.keys(serv.entities).length,
      columns: serv.overworld.getColumns().length
    }),
    alive,
    /** Remove all that lies around. */
    sweep: () => [...dropped.lying].forEach(item => item.destroy()),
    say: ({ text }) => chat.broadcast({ text })
  }
}

function row ({ username, position: { x, y, z }, health, food, op, gameMode }) {
  return { name: username, position: [x, y, z], health, food, operator: op, gameMode }
}

function pair ({ name, count }) {
  return [name, count]
}
