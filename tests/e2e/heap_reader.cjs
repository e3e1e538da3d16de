'use strict'
// Preloaded into a Node process: at SIGUSR2 it collects its garbage and writes what memory, handles
// and ids of JSPyBridge are still in use to FOLDER/PID.json, for the one who measures.

const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const v8 = require('node:v8')
const vm = require('node:vm')

const folder = process.env.NODE_HEAP_READER_FOLDER

if (folder) {
  let bridge = null // JSPyBridge's own, where there is one; it keeps it to itself
  const load = Module._load
  Module._load = function (request, ...rest) {
    const found = load.call(this, request, ...rest)
    if (request === './pyi' && found.PyBridge && !bridge) {
      const { PyBridge } = found
      found.PyBridge = class extends PyBridge {
        constructor (ipc, owner) {
          super(ipc, owner)
          bridge = owner
        }
      }
      Module._load = load
    }
    return found
  }

  const compiled = () => {
    const { code_and_metadata_size: machine, bytecode_and_metadata_size: bytes } = v8.getHeapCodeStatistics()
    return machine + bytes
  }

  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect()
    collect() // what finalisers let go of
    const written = path.join(folder, `${process.pid}.json`)
    fs.writeFileSync(written + '.part', JSON.stringify({
      ...process.memoryUsage(),
      compiled: compiled(),
      handles: process.getActiveResourcesInfo().length,
      ids: bridge ? Object.keys(bridge.m).length : 0
    }))
    fs.renameSync(written + '.part', written)
  })
}
