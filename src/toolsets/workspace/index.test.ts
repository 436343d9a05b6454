import { expect, test } from 'vitest'
import { lintToolset } from '../../contract/lint-contract.ts'
import type { LargePages } from './fetch-webpage.ts'
import { workspace } from './index.ts'

const contracts = workspace.tools.filter(({ offer }) => offer?.kind !== 'helper').map(({ contract }) => contract)

test('no contract has a fault, and nothing to warn about', async () => {
  expect(await lintToolset(workspace)).toEqual([])
})

test('the ten tools and the resource have the risks that they should, and all but the reading ones ask', () => {
  expect(contracts.map(({ name, risk, approval }) => `${name}: ${risk}, ${approval}`)).toEqual([
    'create_file: safe_write, ask',
    'read_file: read_only, never',
    'replace_string_in_file: dangerous, ask',
    'list_dir: read_only, never',
    'file_search: read_only, never',
    'grep_search: read_only, never',
    'run_in_terminal: dangerous, ask',
    'terminal_last_command: read_only, never',
    'create_directory: safe_write, ask',
    'fetch_webpage: dangerous, ask',
    'resource:file: read_only, never',
  ])
})

test('an error means the same in every tool', () => {
  const statuses = new Map<string, Set<number>>()
  for (const { code, status } of contracts.flatMap(({ errors }) => errors))
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status))
  expect([...statuses].filter(([, all]) => all.size > 1)).toEqual([])
})

test('every tool shows a success and a failure', () => {
  for (const { name, examples } of contracts) {
    expect(
      examples.some(({ error }) => error !== undefined),
      name,
    ).toBe(true)
    if (name !== 'fetch_webpage' && name !== 'terminal_last_command')
      expect(
        examples.some(({ output }) => output !== undefined),
        name,
      ).toBe(true)
  }
})

test('large pages are read in a thread that is started for the first of them', async () => {
  const opened = await workspace.open!({ notes: {}, workspace: '/' } as never)
  const { largePages } = opened as unknown as { readonly largePages: LargePages }
  const fetched = { body: Buffer.from('<p>Hello'), contentType: 'text/html', truncated: false }
  const { signal } = new AbortController()
  const text = await largePages.run({ fetched, type: 'text/html', markup: undefined }, { signal, caller: 'a' })
  expect(text).toBe('Hello')
})
