import { writeSync } from 'node:fs'
import { openFiles } from '../../src/capabilities/files.ts'
import { toAppendedLine } from '../helpers/appended-line.ts'

/**
 * A process that appends lines: `append ROOT STATE NAME FROM TO`. Prints the number of each acknowledged line
 * synchronously, so that a kill loses no output.
 */
const [root = '', appends = '', name = '', from = '0', to = '0'] = process.argv.slice(2)
const files = openFiles({ root, appends })
for (let turn = Number(from); turn < Number(to); turn++) {
  const { line } = await files.append('memory/log.jsonl', Buffer.from(toAppendedLine(name, turn)))
  writeSync(1, `${turn} ${line}\n`)
}
