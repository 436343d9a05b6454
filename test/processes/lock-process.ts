/** The `lock` command with a server that lists FOLDER/listed.json: node lock-process.ts FOLDER OPTIONS. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runLock } from '../../src/cli/lock/lock.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'
import { openTestLock } from '../helpers/open-lock.ts'

const [folder = '', options = '{}'] = process.argv.slice(2)
const { lock, list } = openTestLock({ notes: { command: 'notes' } }, 'optional', folder)
list('notes', () => JSON.parse(readFileSync(join(folder, 'listed.json'), 'utf8')))
const terminal = createTerminal(new AbortController())
process.exitCode = await runLock(lock, {
  positionals: [],
  options: JSON.parse(options),
  terminal,
  open: () => Promise.reject(new Error('Nothing is opened here.')),
})
await terminal.flush()
