'use strict'
// The names of blocks and items, of any version, as they are since 1.13. Up to 1.12 one number and
// some metadata stand for several: minecraft-data has the table of what each is called since. Only
// that is told to Python, and taken from it.

const { load } = require('./packages.cjs')

const { legacy: { pc: FLATTENING } } = load('minecraft-data')
const METADATA = 16 // values of it that a block may have
const GROWN = { melon_slice: 103, carrot: 141, potato: 142 } // foods that old data has under the block they are of
const known = new WeakMap() // registry -> its names

/** The names of a version since 1.13, which knows them itself. */
class Names {
  constructor (registry) {
    this.registry = registry
  }

  /** Each block once, by its name. */
  get blocks () {
    return this.registry.blocksArray
  }

  /** Each item once, by its name. */
  get items () {
    return this.registry.itemsArray
  }

  /** The block of a name; undefined if the version has none. */
  block (name) {
    return own(this.registry.blocksByName, name)
  }

  blockOf (state) {
    return this.registry.blocksByStateId[state]
  }

  /** The numbers of all states of a block, in order. */
  statesOf ({ minStateId, maxStateId }) {
    return Array.from({ length: maxStateId - minStateId + 1 }, (_, i) => minStateId + i)
  }

  item (name) {
    return own(this.registry.itemsByName, name)
  }

  itemOf (id) {
    return this.registry.items[id]
  }

  /** What an item gives who eats it, by its name: the data of 1.16.5 and 1.21.4 has wrong numbers. */
  food (name) {
    return own(this.registry.foodsByName, name)
  }

  /** The kinds of a number of which any will do; none where there is but one. */
  kindsOf () {
    return []
  }
}

/** The names of a version up to 1.12: what it calls something else has the name of later. */
class OldNames extends Names {
  constructor (registry) {
    super(registry)
    this.kinds = Map.groupBy(rows(FLATTENING.items), ({ id }) => id)
    this.shapes = Map.groupBy(rows(FLATTENING.blocks), ({ id }) => id)
    this.states = new Map(registry.blocksArray.flatMap(block => this.statesBelow(block)))
    this.byName = Map.groupBy([...this.states], ([, { name }]) => name)
    this.itemsByName = new Map(registry.itemsArray.flatMap(item => this.variantsOf(item)).map(item => [item.name, item]))
  }

  statesBelow (block) {
    return Array.from({ length: METADATA }, (_, metadata) => {
      const name = nameIn(this.shapes.get(block.id), metadata) ?? block.name
      return [block.id * METADATA + metadata, { ...block, name, metadata }]
    })
  }

  variantsOf (item) {
    const kinds = this.kinds.get(item.id) ?? [{ name: item.name, metadata: 0 }]
    return kinds.map(({ name, metadata }) => ({ ...item, name, metadata }))
  }

  get blocks () {
    return [...this.byName.keys()].map(name => this.block(name))
  }

  get items () {
    return [...this.itemsByName.values()]
  }

  block (name) {
    return this.byName.get(name)?.[0][1]
  }

  blockOf (state) {
    return this.states.get(state)
  }

  statesOf ({ name }) {
    return this.byName.get(name).map(([state]) => state)
  }

  item (name) {
    return this.itemsByName.get(name)
  }

  // The metadata of a tool is how worn it is.
  itemOf (id, metadata = 0) {
    const item = this.registry.items[id]
    return item && { ...item, name: nameIn(this.kinds.get(id), metadata) ?? item.name }
  }

  food (name) {
    return this.registry.foods[GROWN[name] ?? this.item(name)?.id]
  }

  kindsOf (id) {
    const kinds = this.kinds.get(id) ?? []
    return kinds.length > 1 ? kinds : []
  }
}

/** The table as [{id, metadata, name}, ...]. */
function rows (table) {
  return Object.entries(table).map(([key, value]) => {
    const [id, metadata] = key.split(':').map(Number)
    return { id, metadata, name: value.replace('minecraft:', '').replace(/\[.*/, '') }
  })
}

/** The name of a metadata; of one that the table leaves out, the plain one, or else the last. */
function nameIn (kinds = [], metadata) {
  const named = value => kinds.find(kind => kind.metadata === value)
  return (named(metadata) ?? named(0) ?? kinds.at(-1))?.name
}

function own (table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The names of a registry's version. */
function namesOf (registry) {
  if (!known.has(registry)) {
    known.set(registry, new (registry.supportFeature('blockStateId') ? Names : OldNames)(registry))
  }
  return known.get(registry)
}

/** Let blocks and items of old versions have the names of later ones, whoever makes them. To be
 *  called before packages load that do. */
function nameAnew () {
  named('prismarine-item', (names, { type, metadata }) => names.itemOf(type, metadata)?.name ?? 'unknown')
  named('prismarine-block', (names, { stateId }) => names.blockOf(stateId)?.name ?? '')
}

function named (file, nameOf) {
  const path = load.resolve(file)
  const make = load(path)
  const makeNamed = (registryOrVersion, ...rest) => {
    const registry = typeof registryOrVersion === 'string' ? load('prismarine-registry')(registryOrVersion) : registryOrVersion
    const made = make(registry, ...rest)
    const names = namesOf(registry)
    if (!(names instanceof OldNames)) return made
    Object.defineProperty(made.prototype, 'name', { get () { return nameOf(names, this) }, set () {} })
    return made
  }
  load.cache[path].exports = Object.assign(makeNamed, make)
}

module.exports = { nameAnew, namesOf }
