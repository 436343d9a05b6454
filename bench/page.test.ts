import { expect, test } from 'vitest'
import { replaceSection, toNotes, toSection } from './page.ts'
import type { Table } from './table.ts'

const order = ['startup', 'ledger', 'extract']
const table: Table = { title: 'Appends', heading: ['', 'p50', 'ratio'], rows: [['bare | insert', '1 µs', '1.00×']] }
const circumstances = {
  date: '2026-01-31',
  toolpact: '1.2.3',
  node: 'v24.0.0',
  machine: '2 × Some CPU, 8 GB, linux x64',
  load: [0.5, 1.25] as const,
}

test('a page has a section for what was measured', () => {
  const page = write('', 'ledger', 'found')
  expect(page).toMatch(/^# Benchmarks\n/)
  expect(page).toContain('## ledger\n\n<!-- ledger -->\nfound\n<!-- /ledger -->\n')
})

test('measuring again replaces that section alone', () => {
  const before = write(write(write('', 'startup', 'first'), 'ledger', 'old\n\n## heading'), 'extract', 'third')
  const after = write(before, 'ledger', 'new')
  expect(after).toBe(before.replace('old\n\n## heading', 'new'))
  expect(write(after, 'ledger', 'new')).toBe(after)
})

test('the order of the sections is that of the benchmarks, however they were measured', () => {
  const pages = [order, order.toReversed()].map((names) =>
    names.reduce((page, name) => write(page, name, `about ${name}`), ''),
  )
  expect(pages[0]).toBe(pages[1])
  expect(pages[0]!.match(/^## .*/gm)).toEqual(['## startup', '## ledger', '## extract'])
})

test('charts stay at the top, and are no section', () => {
  const page = write(
    write('', 'ledger', 'found').replace('<!-- charts -->\n', '<!-- charts -->\npicture\n'),
    'extract',
    'x',
  )
  expect(page).not.toContain('picture')
  expect(page.match(/^<!-- \/?charts -->$/gm)).toHaveLength(2)
})

test('a section of an unknown benchmark is kept, at the end', () => {
  const page = write(replaceSection('', { name: 'other', section: 'kept' }, []), 'extract', 'found')
  expect(page.match(/^## .*/gm)).toEqual(['## extract', '## other'])
  expect(page).toContain('kept')
})

test('what looks like a pattern in a section is text', () => {
  expect(write(write('', 'ledger', "$& $1 $'"), 'startup', 'found')).toContain("\n$& $1 $'\n")
})

test('a section states what is compared, when, with which versions and where', () => {
  const about = { compares: 'Appends beside inserts.', peers: ['peer 1.0.0', 'other 2.0.0'] }
  const section = toSection(about, [{ ...table, noise: 1.25, notes: ['Aim met: so and so.'] }], circumstances)
  expect(section).toBe(`Appends beside inserts.

Measured on 2026-01-31: Toolpact 1.2.3, Node v24.0.0, 2 × Some CPU, 8 GB, linux x64; load 0.5 before and 1.3 after. Peers: peer 1.0.0, other 2.0.0.

Targets: 1 met, 0 missed, 0 undecided. Bases varied by 1.3× at most.

### Appends

|  | p50 | ratio |
| --- | --: | --: |
| bare \\| insert | 1 µs | 1.00× |

- Aim met: so and so.`)
})

test('a section says how its targets were decided, and how busy the machine was', () => {
  const noisy = {
    ...table,
    noise: 2.5,
    left: { dropped: 3, disturbed: 2 },
    notes: ['Aim missed: a.', 'Undecided: b.', 'Undecided: c.', 'A remark.'],
  }
  const section = toSection({ compares: 'It.' }, [table, noisy, { ...table, noise: 1.1 }], circumstances)
  expect(section).toContain(
    'Targets: 0 met, 1 missed, 2 undecided. Bases varied by 2.5× at most; 3 disturbed rounds were left out. **The machine was busy** during 2 of the rounds that count.',
  )
  expect(section.match(/^- The machine was noisy/gm)).toHaveLength(1)
  expect(section.match(/^- Other programs used the machine during 2 of the rounds that count/gm)).toHaveLength(1)
  expect(toNotes({ ...table, left: { dropped: 9, disturbed: 0 } })).toEqual([])
})

test('a section without rounds does not claim a quiet machine', () => {
  expect(toSection({ compares: 'It.' }, [table], circumstances)).toContain('nothing is known about noise')
})

function write(page: string, name: string, section: string): string {
  return replaceSection(page, { name, section }, order)
}
