import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/capabilities/files.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

const entry = Buffer.from(JSON.stringify({ timestamp: '2026-01-09T10:30:00Z', type: 'note', text: 'x'.repeat(40) }))
const line = `${entry}\n`
const many = 1_000_000

export const about: About = {
  compares:
    'Durable appends that know the number of their line: to a long file beside an empty one, and beside a bare write with fsync.',
}

export async function* bench(): AsyncGenerator<Table> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const appends = join(root, 'state')
  const files = openFiles({ root, appends })
  const long = () => files.append('long.jsonl', entry)
  const empty = () => files.append('empty.jsonl', entry)
  // Interleaved, because disk latency varies over time.
  const options = { rounds: 300 }
  try {
    writeFileSync(join(root, 'long.jsonl'), line.repeat(many))
    const { line: number } = await long()
    if (number !== many + 1) throw new Error(`The line after ${many} got the number ${number}.`)
    yield await compare(
      `Append, on disk (fsync): a file of ${many.toLocaleString('en')} lines against an empty one`,
      [
        { name: 'empty file', run: empty },
        { name: 'long file', run: long, aim: 1.5 },
        { name: 'long file, opened anew', run: () => openFiles({ root, appends }).append('long.jsonl', entry) },
      ],
      options,
    )
    yield await compare(
      'Append, on disk (fsync): with lock and line number against a bare write',
      [
        { name: 'fs.appendFile and fsync', run: () => appendFile(join(root, 'bare.jsonl'), line, { flush: true }) },
        { name: 'append', run: empty },
      ],
      options,
    )
  } finally {
    rmSync(root, { recursive: true })
  }
}
