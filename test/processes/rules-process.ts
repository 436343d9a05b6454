import { writeSync } from 'node:fs'
import { openRulesFile } from '../../src/runtime/storage/files/rules-file.ts'
import { toRule } from '../helpers/rule-calls.ts'

/** A process that saves rules: `node test/processes/rules-process.ts DIRECTORY NAME COUNT`. */
const [directory = '', name = '', count = '0'] = process.argv.slice(2)
const store = openRulesFile({ directory, lockTimeoutMs: 50_000 })
for (let index = 0; index < Number(count); index++) {
  await store.add(toRule('{}', { id: `${name}-${index}` }))
  writeSync(1, `${name}-${index}\n`)
}
