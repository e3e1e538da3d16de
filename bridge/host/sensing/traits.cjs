'use strict'
// What the metadata of an animal says of it; source: wiki.vg Entity metadata. What a server leaves
// out is as usual: grown up, and white wool on its back.

const COLOURS = [
  'white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'
]
const COLOUR_BITS = 15
const SHORN_BIT = 16

function isYoung ({ version }, { metadata }) {
  const age = metadata?.[ageKey(version)]
  return age === true || age < 0 // up to 1.8 a number
}

/** The colour of a sheep that has its wool; else null. */
function coatOf ({ version }, name, { metadata }) {
  if (name !== 'sheep') return null
  const flags = metadata?.[version['>=']('1.9') ? ageKey(version) + 1 : 16] ?? 0
  return flags & SHORN_BIT ? null : COLOURS[flags & COLOUR_BITS]
}

function ageKey (version) {
  if (version['>=']('1.17')) return 16
  if (version['>=']('1.15')) return 15
  if (version['>=']('1.14')) return 14
  return version['>=']('1.9') && version['<']('1.10') ? 11 : 12
}

module.exports = { coatOf, isYoung }
