import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillSections } from '../../scripts/page-sections.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { findSignals } from '../../src/host/signals/find-signals.ts'
import { allSignals } from '../../src/host/signals/signals.ts'
import { heldOut } from '../data/poisoned-held-out.ts'
import { measureAll, toMeasured, toTables } from '../documents/admission-document.ts'
import { allPoisons, hasDefinitions, measurePoisoned } from '../helpers/measure-admission.ts'

const page = readFileSync(new URL('../../docs/admission.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n')

const honest: JsonObject[] = [
  {
    name: 'list_rows',
    description: 'Lists the rows of a table. Ask the user which table they mean if several match.',
    inputSchema: { type: 'object', properties: { table: { type: 'string', description: 'Name of the table' } } },
  },
  {
    name: 'delete_row',
    description: 'Deletes one row. You MUST confirm with the user before calling this. This cannot be undone.',
    inputSchema: { type: 'object', properties: { id: { type: 'integer', description: 'Number of the row' } } },
  },
]

test('the tables of docs/admission.md are those of the code (node scripts/measure-admission.ts writes them)', () => {
  expect(fillSections('docs/admission.md', page, toTables())).toBe(page)
})

test('honest tools that involve the user are not flagged', () => {
  for (const tool of honest) expect(findSignals(tool, { server: 'rows' })).toEqual([])
})

test('of the poisoned variants at least 95 of 100 are flagged, and every signal finds some', () => {
  expect(allPoisons.length).toBeGreaterThanOrEqual(60)
  const { poisoned, flagged, missed, signals } = measurePoisoned(honest, allPoisons, 2)
  console.log(`poisoned variants: ${flagged} of ${poisoned} flagged; missed: ${missed.join(', ')}`)
  expect(flagged / poisoned).toBeGreaterThanOrEqual(0.95)
  expect(signals.sort()).toEqual(allSignals.map(({ id }) => id).sort())
})

test('of the variants that were written after the signals a third is flagged', () => {
  // A signal that is changed for one of them makes the others worthless: write new ones then.
  expect(measurePoisoned(honest, heldOut, 1)).toMatchObject({ poisoned: 40, flagged: 13 })
})

test.skipIf(!hasDefinitions)(
  'real tools (needs ../shared/data): 99 of 100 are admitted, fewer than 2 of 100 flagged, as docs/admission.md says',
  async () => {
    const measured = await measureAll()
    const { tools, admitted, flagged, withheld, bySignal } = measured.real
    console.log(`real tools: ${admitted} of ${tools} admitted, ${flagged} flagged; withheld: ${withheld.join('; ')}`)
    expect(admitted / tools).toBeGreaterThanOrEqual(0.99)
    expect(flagged / tools).toBeLessThan(0.02)
    expect(measured.known.flagged / measured.known.poisoned).toBeGreaterThanOrEqual(0.95)
    const stated = Object.fromEntries(allSignals.filter(({ tools }) => tools > 0).map(({ id, tools }) => [id, tools]))
    expect(bySignal).toEqual(stated)
    expect(fillSections('docs/admission.md', page, toMeasured(measured))).toBe(page)
  },
)
