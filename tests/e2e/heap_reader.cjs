'use strict'
// Preloaded into a Node process: at SIGUSR2 it collects its garbage and writes what memory is
// still in use to FOLDER/PID.json, for the one who measures.

const fs = require('node:fs')
const path = require('node:path')
const v8 = require('node:v8')
const vm = require('node:vm')

const folder = process.env.NODE_HEAP_READER_FOLDER

if (folder) {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect()
    collect() // what finalisers let go of
    const written = path.join(folder, `${process.pid}.json`)
    fs.writeFileSync(written + '.part', JSON.stringify(process.memoryUsage()))
    fs.renameSync(written + '.part', written)
  })
}
