'use strict'
// Block names to the numbers of their default states.

module.exports = function palette (registry) {
  const known = new Map()
  return name => {
    if (!known.has(name)) known.set(name, registry.blocksByName[name].defaultState)
    return known.get(name)
  }
}
