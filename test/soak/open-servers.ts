import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries } from '../helpers/run-command.ts'

/** A config with MCP servers that behave, crash, hang, lie, never start or talk too much; in a folder of its own. */
export function makeConfig(folder: string) {
  mkdirSync(folder)
  const files: string[] = []
  const changeling = (name: string, tools: readonly string[], more: object = {}) => {
    const file = join(folder, `${name}.json`)
    files.push(file)
    writeFileSync(file, JSON.stringify(tools.map(define)))
    return { command: process.execPath, args: [entries.changeling, file], ...more }
  }
  const hostile = (start: string) => ({ command: process.execPath, args: [entries.hostile, start] })
  const mcpServers = {
    good: changeling('good', ['echo', 'announce']),
    crashes: changeling('crashes', ['echo', 'crash']),
    // Long enough for a machine that is busy with all of this to answer in time.
    hangs: changeling('hangs', ['echo', 'hang'], { limits: { timeoutMs: 3000 } }),
    lies: changeling('lies', ['violating', 'missing', 'poisoned', 'failing_badly', 'failing', 'scalar', 'refused']),
    noisy: hostile('noise'),
    never: hostile('ends'),
  }
  const path = join(folder, 'toolpact.json')
  writeFileSync(path, JSON.stringify({ mcpServers, toolsets: ['learning', ...Object.keys(mcpServers)] }))
  return {
    path,
    /** Of every server that was started. */
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
