'use strict'
// Where a line names a player. `.Steve` and `*Steve` are players of Bedrock, `~Steve` is anybody's
// nickname, and Al is not in Alice.

/** The place of a name in a text, or -1. */
function placeOf (name, text) {
  return text.search(new RegExp(`(?<![\\w.*~])${literal(name)}(?!\\w)`))
}

function isNamedIn (name, text) {
  return placeOf(name, text) >= 0
}

function literal (name) {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

module.exports = { isNamedIn, placeOf }
