'use strict'
// Which sections of a chunk a client is told to read.

// expected: the mask names the sections that are sent
// actual:   prismarine-chunk keeps the bit of a section whose last block was taken away and does
//           not send it, so that whoever comes near later cannot read the chunk nor join
// remove when: getMask of prismarine-chunk for 1.16 leaves empty sections out
module.exports = function chunkMask (serv) {
  serv.on('newPlayer', player => {
    const send = player.sendChunk
    player.sendChunk = (x, z, column) => {
      column.sectionMask = filled(column.sections)
      return send(x, z, column)
    }
  })
}

function filled (sections) {
  return sections.reduce((mask, section, y) => section && !section.isEmpty() ? mask | 1 << y : mask, 0)
}
