import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findProgram } from '../../../../capabilities/process/find-program.ts'
import { quoteForShell } from './quote-for-shell.ts'

/** Made of what shells care about, and of anything else that an argument can hold. */
const word = fc.string({
  unit: fc.oneof(fc.constantFrom(...`'"\\$()\`;&|<>*?[]{}~!#%^= \t\n-`), fc.string({ unit: 'grapheme', maxLength: 1 })),
  maxLength: 12,
})
const words = fc.sample(word, { numRuns: 400, seed: 8 }).filter((text) => !text.includes('\0'))

const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'fish'].flatMap(
  (name) => findProgram(name, process.env.PATH, import.meta.dirname) ?? [],
)

test('there is a shell to try', () => expect(shells.length).toBeGreaterThan(0))

test.each(shells)('%s reads every word as it is', (shell) => {
  const command = `printf '%s\\0' ${words.map(quoteForShell).join(' ')}`
  const said = execFileSync(shell, ['-c', command], { encoding: 'utf8' })
  expect(said.split('\0').slice(0, -1)).toEqual(words)
})
