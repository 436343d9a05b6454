import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

test.concurrent('a tool that keeps its contract passes, with the seed and what was skipped', async () => {
  const { code, stdout, stderr } = await run(['test', 'learning.hello', 'workspace.create_file', '--seed', '5'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^✓ workspace\.create_file {2}\d+ cases\n/)
  expect(stdout).toMatch(/– declared errors: Nothing made the tool itself fail with .*io_failed.*: add an example/)
  expect(stdout).toMatch(/✓ learning\.hello {2}\d+ cases\n/)
  expect(stdout).toMatch(/\n2 tools, \d+ cases, nothing failed\. Seed 5\.\n$/)
  // It ran in a workspace of its own, and no call is in the ledger.
  expect(readdirSync(folder).filter((name) => !['cache', 'state'].includes(name))).toEqual([])
  expect(existsSync(join(folder, 'state', 'toolpact.db'))).toBe(false)
})

test.concurrent('a tool that breaks its contract fails, with the input and how to see it again', async () => {
  const { code, stdout } = await run(['test', 'odd.lie', '--seed', '5'], { entry: 'odd' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ odd\.lie {2}\d+ of \d+ cases failed\n {2}✗ minimal valid: only what is required\n/)
  expect(stdout).toContain('invalid_output')
  expect(stdout).toContain('      input: {}\n')
  expect(stdout).toContain('the same command with --seed 5.\n')
})

test.concurrent('for a script it is JSON, the same for the same seed', async () => {
  const [first, again] = await Promise.all(
    [1, 2].map(() => run(['test', 'learning.hello', '--json', '--seed', '9'], { alone: true })),
  )
  expect(first).toEqual(again)
  const { seed, ok, tools } = JSON.parse(first!.stdout)
  expect({ seed, ok }).toEqual({ seed: 9, ok: true })
  expect(tools[0].scenarios.map(({ scenario }: { scenario: string }) => scenario)).toEqual([
    'examples',
    'minimal',
    'maximal',
    'random',
    'missing-required',
    'wrong-type',
    'unknown-property',
    'bounds',
    'enum-pattern-format',
    'limits',
    'corrupted-output',
    'declared-errors',
  ])
})

test.concurrent('an unknown tool or an invalid seed is a usage error', async () => {
  const lost = await run(['test', 'learning.helo'])
  expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('learning.hello') })
  const seed = await run(['test', '--seed', 'x'])
  expect(seed).toMatchObject({ code: 2, stderr: expect.stringContaining('--seed 7') })
})

test.concurrent('tools of a server are tested too; what may change something there is not run', async () => {
  const { folder, command, close, write } = openMcpFolder()
  try {
    const args = [entries.toolpact, 'serve', '--stdio', '--toolset', 'learning', '--workspace', folder]
    const config = {
      mcpServers: { other: { command: process.execPath, args, approval: 'reads' } },
      toolsets: ['other'],
    }
    write('own.json', config)
    const { code, stdout } = await command('test', '--config', 'own.json', '--json', '--seed', '3')
    const reports = JSON.parse(stdout).tools as { tool: string; ok: boolean; notRun?: string; cases: number }[]
    expect(reports.map(({ tool, ok, notRun }) => ({ tool, ok, notRun }))).toEqual([
      { tool: 'other.hello', ok: true, notRun: undefined },
      { tool: 'other.read_repo_file', ok: true, notRun: undefined },
      { tool: 'other.write_memory_entry', ok: true, notRun: expect.stringContaining('--run') },
    ])
    expect(code).toBe(0)
    expect(existsSync(join(folder, '.claude'))).toBe(false)
  } finally {
    close()
  }
})
