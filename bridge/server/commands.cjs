'use strict'
// /give, /clear and /kill for people here, with whole stacks and selectors.

const select = require('./selectors.cjs')

module.exports = function commands (serv, { items, inventory, death }) {
  function add (base, usage, shape, act) {
    serv.commands.add({
      base,
      usage,
      op: true,
      info: usage,
      parse: text => shape.exec(text) || false,
      action ([, target, ...rest], { player }) {
        const found = select(serv, target || '@s', player)
        if (!found.length) return 'No player was found'
        found.forEach(one => act(one, ...rest))
      }
    })
  }

  add('give', '/give <player> <item> [count]', /^(\S+) (?:minecraft:)?(\w+)(?: (\d+))?$/, give)
  add('clear', '/clear [player] [item]', /^(\S*)(?: (?:minecraft:)?(\w+))?$/, clear)
  add('kill', '/kill [player]', /^(\S*)$/, death.kill)

  function give (player, name, count = '1') {
    if (!serv.registry.itemsByName[name]) return
    inventory.add(player, items.named(name, Number(count)))
  }

  /** Take everything away, or everything of one name. */
  function clear (player, name) {
    player.inventory.slots.forEach((item, slot) => {
      if (item && (!name || item.name === name)) inventory.set(player, slot, null)
    })
  }

  return { clear }
}
