'use strict'
// With a world folder, what lies in containers is kept there beside the chunks.

const fs = require('node:fs')
const path = require('node:path')

const EVERY_MS = 5000

module.exports = function containerFile (serv, items, known, create, folder) {
  if (!folder) return async () => {}
  const file = path.join(folder, 'containers.json')
  let written = read()

  function read () {
    if (!fs.existsSync(file)) return ''
    const text = fs.readFileSync(file, 'utf8')
    for (const [place, kind, fire, slots] of JSON.parse(text)) {
      known.set(place, Object.assign(create(kind), { fire, slots: slots.map(unpack) }))
    }
    return text
  }

  function unpack (saved) {
    return saved && Object.assign(items.named(saved[0], saved[1]), { nbt: saved[2] })
  }

  function save () {
    const text = JSON.stringify([...known].map(pack))
    if (text === written) return
    fs.writeFileSync(`${file}.new`, text)
    fs.renameSync(`${file}.new`, file)
    written = text
  }

  const timer = setInterval(save, EVERY_MS)
  serv.on('close', () => clearInterval(timer))
  return async () => {
    save()
    await serv.overworld.saveNow()
  }
}

function pack ([place, { kind, fire, slots }]) {
  return [place, kind.title, fire, slots.map(item => item && [item.name, item.count, item.nbt])]
}
