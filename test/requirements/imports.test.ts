import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const documents = new URL('../../../shared/seeds/', import.meta.url)
const { folder, run, close } = openCommandFolder()
afterAll(close)

interface Row {
  readonly input: object
  readonly output: object
}

const file = { content: 'Hello', size: 5 }
const timestamp = '2026-01-09T10:30:00Z'
const page = { final_url: 'https://a.example/', clean_text: 'Hello' }

/** By the folder that the contracts are in, a call of each tool and the answer of its handler. */
const rows: readonly [document: string, path: string, tools: { readonly [name: string]: Row }][] = [
  [
    '000',
    '',
    {
      hello: { input: { name: 'Ada' }, output: { greeting: 'Hello, Ada' } },
      read_repo_file: { input: { path: 'README.md' }, output: file },
      write_memory_entry: {
        input: { file: 'decisions.jsonl', entry: { timestamp, type: 'start', task: 'more' } },
        output: { success: true, line_number: 1 },
      },
    },
  ],
  [
    '001',
    '',
    {
      hello: { input: {}, output: { message: 'Hello, World!', timestamp } },
      read_repo_file: { input: { path: 'README.md' }, output: { ...file, modified: timestamp } },
      write_memory_entry: {
        input: { file: 'decisions.jsonl', entry: '{}' },
        output: { success: true, bytes_written: 3, timestamp },
      },
    },
  ],
  [
    '002',
    'web-fetch',
    {
      'search.web': { input: { query: 'ports' }, output: { results: [] } },
      'web.fetch': { input: { url: 'https://a.example/' }, output: page },
    },
  ],
  [
    '002',
    'transcript-clean',
    { 'transcript.clean': { input: { text: 'Um, hello' }, output: { clean_text: 'Hello' } } },
  ],
  [
    '002',
    'mlxctl',
    {
      'mlx.load': {
        input: { model: 'a', port: 8100 },
        output: { ok: true, message: 'Loaded', port: 8100, model: 'a' },
      },
      'mlx.unload': { input: { port: 8100 }, output: { ok: true, message: 'Unloaded', port: 8100 } },
    },
  ],
]

describe.skipIf(!existsSync(documents))('contracts imported from the documents (needs ../shared/seeds)', () => {
  test.each(rows)('tools of document %s in %j run with a trivial handler', async (number, path, tools) => {
    const out = `made-${number}-${path || 'all'}`
    const document = `${out}.md`
    copyFileSync(
      new URL(readdirSync(documents).find((name) => name.startsWith(number))!, documents),
      join(folder, document),
    )
    const toolset = path === '' ? [] : ['--toolset', path]
    expect(await run(['contracts', 'import', document, '--out', out, ...toolset])).toMatchObject({ code: 0 })
    // The toolset is called after its folder, since there are built-in ones with the names of the document.
    for (const [name, { input, output }] of Object.entries(tools)) {
      const contract = join(folder, out, `${name}.contract.json`)
      writeFileSync(join(folder, out, `${name}.js`), `export const run = () => (${JSON.stringify(output)})`)
      const source = JSON.parse(readFileSync(contract, 'utf8'))
      if (source.status === 'planned') writeFileSync(contract, JSON.stringify({ ...source, status: 'active' }))
      const call = (more: object) =>
        run(['call', `${out}.${name}`, '--input', JSON.stringify({ ...input, ...more }), '--contracts', out, '--yes', '--json']) // biome-ignore format: one line
      const { code, stdout } = await call({})
      expect({ code, output: JSON.parse(stdout) }).toMatchObject({ code: 0, output })
      const refused = await call({ undeclared: 1 })
      expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('/undeclared') })
    }
  })
})
