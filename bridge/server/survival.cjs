'use strict'
// The rules of survival that flying-squid lacks or gets wrong, put together. They are ours, written
// after the vanilla server of 1.16.5; each file here owns one of them.

const chatRules = require('./chat.cjs')
const whisper = require('./whisper.cjs')
const tabList = require('./tab_list.cjs')
const joining = require('./join.cjs')
const memory = require('./memory.cjs')
const storage = require('./storage.cjs')
const chunkMask = require('./chunk_mask.cjs')
const itemKinds = require('./items.cjs')
const inventories = require('./inventory.cjs')
const droppedItems = require('./dropped.cjs')
const pickup = require('./pickup.cjs')
const openWindows = require('./windows.cjs')
const craftingGrids = require('./crafting.cjs')
const containerBlocks = require('./containers.cjs')
const doubleChests = require('./double_chests.cjs')
const openingDoors = require('./doors.cjs')
const furnaces = require('./furnace.cjs')
const fuel = require('../vanilla/furnace.cjs')
const smelting = require('./smelting.cjs')
const correctHarvest = require('../vanilla/harvest.cjs')
const clicks = require('./clicks.cjs')
const placing = require('./placing.cjs')
const digging = require('./digging.cjs')
const wearing = require('./wear.cjs')
const eatingRules = require('./eating.cjs')
const teleport = require('./teleport.cjs')
const sneaking = require('./sneaking.cjs')
const shownHealth = require('./shown_health.cjs')
const dying = require('./death.cjs')
const equipment = require('./equipment.cjs')
const belongings = require('./belongings.cjs')
const farmAnimals = require('./animals.cjs')
const tending = require('./tending.cjs')
const buckets = require('./buckets.cjs')
const crops = require('./crops.cjs')
const commands = require('./commands.cjs')

const LISTENERS = 50 // every rule meets each new player; Node warns above 10

/** Lay the rules over a server that is starting; what admin.cjs needs of them. */
module.exports = function survival (serv, settings) {
  serv.setMaxListeners(LISTENERS)
  correctHarvest(serv.registry)
  const own = new Set(settings.spamChecked) // the names of our bots
  const chat = chatRules(serv, own)
  whisper(serv, chat)
  joining(serv, chat, own)
  tabList(serv)
  memory(serv)
  storage(serv)
  chunkMask(serv)

  const items = itemKinds(serv.registry)
  const inventory = inventories(items)
  const dropped = droppedItems(serv, items)
  pickup(serv, dropped, inventory)
  equipment(serv, items, inventory)
  const saveBelongings = belongings(serv, inventory, settings)

  const windows = openWindows(serv, items, inventory, dropped)
  const crafting = craftingGrids(serv, items, inventory, dropped)
  const chests = doubleChests(serv)
  const containers = containerBlocks(serv, { items, windows, dropped, chests }, settings)
  furnaces(serv, items, windows, containers, settings)
  clicks(serv, { items, inventory, windows, dropped, crafting, fuel, smelting })

  teleport(serv, windows)
  sneaking(serv)
  shownHealth(serv)
  const wear = wearing(serv, items, inventory)
  const { till } = crops(serv, { inventory, wear }, settings)
  placing(serv, items, inventory, { chests, till, doors: openingDoors(serv, inventory) })
  const eating = eatingRules(serv, items, inventory, dropped)
  const { exchange } = buckets(serv, { items, inventory, dropped })
  digging(serv, { items, inventory, dropped, wear, eating })
  const death = dying(serv, chat, inventory, dropped, windows)
  const animals = farmAnimals(serv, { items, inventory, dropped }, settings)
  tending(serv, { items, inventory, dropped, wear, animals, exchange })
  const { clear } = commands(serv, { items, inventory, death })
  const save = async () => {
    await saveBelongings()
    await containers.save()
  }
  return { save, own, chat, items, inventory, dropped, windows, containers, death, animals, clear }
}
