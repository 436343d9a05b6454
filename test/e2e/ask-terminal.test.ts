import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const { folder, env, close } = openCommandFolder()
afterAll(close)

const ask = `"${process.execPath}" "${entries.toolpact}" ask --toolset workspace --toolset learning`
const quote = 'The release was moved to Friday.'

describe.skipIf(!hasTmux)('a person who asks at a terminal (skipped where tmux is absent)', () => {
  test('sees how long the model takes, what it chose, and claims with their quotes', async () => {
    writeFileSync(join(folder, 'report.md'), `${quote}\n`)
    const bullets = [{ claim: quote, evidence: quote }]
    await using model = await openScriptedModel([
      { calls: [{ name: 'workspace_read_file', input: { path: 'report.md' } }], delayMs: 2500 },
      JSON.stringify({ type: 'summary', bullets }),
    ])
    const screens = openScreens({ folder, env: { ...env, ...model.environment } })
    try {
      const terminal = screens.open('read', `${ask} "What was decided?" --summarize`)
      await terminal.until(/scripted is choosing a tool \d+ s/)
      await terminal.until('done:0')
      const screen = terminal.lines().join('\n')
      expect(screen).not.toContain('is choosing a tool')
      expect(screen).toContain('→ workspace.read_file {"path":"report.md"}')
      expect(screen).toContain(`“${quote}”`)
      expect(screen).toMatch(/Trace: toolpact ledger show [0-9a-f]{8}/)
    } finally {
      screens.close()
    }
  })

  test('is asked before anything is written, and decides', async () => {
    const input = { path: 'made.txt', content: 'approved by the model' }
    await using model = await openScriptedModel([{ calls: [{ name: 'workspace_create_file', input }] }])
    const screens = openScreens({ folder, env: { ...env, ...model.environment } })
    try {
      const no = screens.open('no', `${ask} "Make made.txt"`)
      await no.until('Asked by: agent')
      await no.until('Approve? (y/n/always):')
      no.type('n', 'Enter')
      await no.until('done:3')
      expect(existsSync(join(folder, 'made.txt'))).toBe(false)
      const yes = screens.open('yes', `${ask} "Make made.txt"`)
      await yes.until('Approve? (y/n/always):')
      yes.type('y', 'Enter')
      await yes.until('done:0')
      expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe(input.content)
    } finally {
      screens.close()
    }
  })
})
