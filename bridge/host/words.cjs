'use strict'
// A text component of any version, JSON or NBT, as plain words.
const { load } = require('./packages.cjs')

const { latestSupportedVersion } = load('mineflayer')
let ChatMessage // of the newest version: it knows the most sentences

/** {text, key}: the words in English, and the translation key they were made of, or ''. */
function wordsOf (component) {
  ChatMessage ??= load('prismarine-chat')(sentences())
  try {
    const message = ChatMessage.fromNotch(component)
    return { text: withoutColours(message.toString()), key: message.translate ?? '' }
  } catch {
    return { text: typeof component === 'string' ? component : JSON.stringify(component), key: '' }
  }
}

/** Words without the colour codes that prismarine-chat leaves in: §x§f§f§0§0§0§0, §A. */
function withoutColours (words) {
  return words.replace(/§[0-9a-fk-orx]/gi, '')
}

// All data of a version would be 7 MB, from the first bot that is kicked to the end.
function sentences () {
  const { language } = load('minecraft-data/data').pc[latestSupportedVersion]
  return { language, supportFeature: () => true }
}

module.exports = { withoutColours, wordsOf }
