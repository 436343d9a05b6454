import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries } from '../helpers/run-command.ts'

/** A folder with a config of MCP servers that behave, crash, hang, lie, never start or flood their output; `names` are those wanted, default all. */
export function makeConfig(folder: string, names?: readonly string[]) {
  mkdirSync(folder)
  const files: string[] = []
  const changeling = (name: string, tools: readonly string[], more: object = {}) => {
    const file = join(folder, `${name}.json`)
    files.push(file)
    writeFileSync(file, JSON.stringify(tools.map(define)))
    return { command: process.execPath, args: [entries.changeling, file], ...more }
  }
  const hostile = (start: string) => ({ command: process.execPath, args: [entries.hostile, start] })
  const all = {
    good: changeling('good', ['echo', 'announce']),
    crashes: changeling('crashes', ['echo', 'crash']),
    // Generous, because the soak itself loads the machine.
    hangs: changeling('hangs', ['echo', 'hang'], { limits: { timeoutMs: 3000 } }),
    lies: changeling('lies', ['violating', 'missing', 'poisoned', 'failing_badly', 'failing', 'scalar', 'refused']),
    noisy: hostile('noise'),
    never: hostile('ends'),
  }
  const wanted = Object.entries(all).filter(([name]) => names?.includes(name) ?? true)
  // Their claims that they only read do not count by themselves, and nobody answers questions here.
  const mcpServers = Object.fromEntries(wanted.map(([name, entry]) => [name, { ...entry, approval: 'never' }]))
  const path = join(folder, 'toolpact.json')
  writeFileSync(path, JSON.stringify({ mcpServers, toolsets: ['learning', ...Object.keys(mcpServers)] }))
  return {
    path,
    /** Pids of all started servers. */
    pids: () =>
      files
        .filter((file) => existsSync(`${file}.starts`))
        .flatMap((file) => readFileSync(`${file}.starts`, 'utf8').trim().split('\n').map(Number)),
  }
}

function define(name: string) {
  const text = { type: 'string' }
  return {
    name,
    description: `Does what ${name} says.`,
    inputSchema: { type: 'object', properties: { text }, additionalProperties: false },
    outputSchema: { type: 'object', properties: { said: text }, required: ['said'], additionalProperties: false },
    annotations: { readOnlyHint: true },
  }
}
