import { writeSync } from 'node:fs'
import { openFiles } from '../../src/capabilities/files.ts'
import { toAppendedLine } from '../helpers/appended-line.ts'

/**
 * A process of its own that appends, for tests: `append ROOT STATE NAME FROM TO`. It says the number of each line once it
 * is acknowledged, synchronously, so that being killed loses nothing of what it said.
 */
const [root = '', appends = '', name = '', from = '0', to = '0'] = process.argv.slice(2)
const files = openFiles({ root, appends })
for (let turn = Number(from); turn < Number(to); turn++) {
  const { line } = await files.append('memory/log.jsonl', Buffer.from(toAppendedLine(name, turn)))
  writeSync(1, `${turn} ${line}\n`)
}
