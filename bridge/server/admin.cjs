'use strict'
// The parent's way in: one JSON object a line on stdin, {"id", "op", ...}; one answer a line,
// {"id", "ok"} or {"id", "error"}. What can be asked stands in admin_operations.cjs.

const readline = require('node:readline')
const operations = require('./admin_operations.cjs')

module.exports = function admin (serv, rules, input, tell) {
  const ops = operations(serv, rules)
  readline.createInterface({ input }).on('line', line => answer(ops, line, tell))
}

async function answer (ops, line, tell) {
  let id = null
  try {
    const { id: given, op, ...args } = JSON.parse(line)
    id = given
    if (!Object.hasOwn(ops, op)) throw new Error(`unknown operation ${op}`)
    tell({ id, ok: (await ops[op](args)) ?? null })
  } catch (error) {
    tell({ id, error: error.message })
  }
}
