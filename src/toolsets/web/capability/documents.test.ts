import { spawn } from 'node:child_process'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { toDocument, toStream } from '../../../../test/data/pdf-bombs.ts'
import { toPdf } from '../../../../test/helpers/to-pdf.ts'
import { openDocuments } from './documents.ts'

const { signal } = new AbortController()
const read = (bytes: Uint8Array) => openDocuments().readPdf(bytes, { signal })

test('reads the text of every page, and the metadata of the document', async () => {
  const bytes = toPdf([['Hello, world.', 'It goes on.'], ['The second page.']], {
    Title: 'My title',
    Author: 'Ada Lovelace',
    CreationDate: 'D:20250304101112Z',
  })
  expect(await read(bytes)).toEqual({
    text: 'Hello, world.\nIt goes on.\n\nThe second page.',
    pages: 2,
    truncated: false,
    title: 'My title',
    author: 'Ada Lovelace',
    created: 'D:20250304101112Z',
    lang: null,
  })
})

test('lines of a paragraph become one, and divided words whole', async () => {
  const lines = ['A paragraph goes over sev-', 'eral lines of text,', 'and ends.']
  expect((await read(toPdf([lines], {}, 14))).text).toBe('A paragraph goes over several lines of text, and ends.')
})

test.each([
  ['no PDF', new TextEncoder().encode('<html>')],
  ['nothing', new Uint8Array()],
  ['half a PDF', toPdf([['x']]).subarray(0, 40)],
])('%s is unreadable', async (_what, bytes) => {
  await expect(read(bytes)).rejects.toThrow('it is damaged, or not a PDF')
})

test('a document that takes too long is given up', async () => {
  const reading = openDocuments().readPdf(toPdf([['x']]), { signal, timeoutMs: 1 })
  await expect(reading).rejects.toThrow('it took too long to read')
})

test.each([
  ['ends with half an answer', 'process.stdout.write(`{"text":"`)', 'its reader ended before it had answered'],
  ['ends without an answer', '', 'its reader ended before it had answered'],
  ['fails', 'process.exit(3)', 'its reader ended unexpectedly, with exit code 3'],
  ['is ended', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)', 'its reader ended unexpectedly'],
])('a reader that %s is reported as that', async (_what, program, reason) => {
  const documents = openDocuments(() => spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] }))
  await expect(documents.readPdf(toPdf([['x']]), { signal })).rejects.toThrow(`The PDF cannot be read: ${reason}`)
})

test.skipIf(process.platform === 'win32')(
  'a reader that exceeds its heap or is killed took too much memory',
  async () => {
    const heap = [
      '--max-old-space-size=16',
      '-e',
      'for (const all = []; ; ) all.push(Array.from({ length: 1000 }, Math.random))',
    ]
    const killed = ['-e', 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)']
    for (const words of [heap, killed]) {
      const documents = openDocuments(() => spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] }))
      await expect(documents.readPdf(toPdf([['x']]), { signal })).rejects.toThrow('it takes too much memory to read')
    }
  },
)

test('text behind several filters is read', async () => {
  const packed = deflateSync(deflateSync('BT /F1 12 Tf (Tea) Tj ET'))
  const bytes = toDocument([toStream('/Filter[/FlateDecode/FlateDecode]', packed)])
  expect(await read(bytes)).toMatchObject({ text: 'Tea' })
})

test('an aborted call rejects with its reason', async () => {
  const controller = new AbortController()
  const reading = openDocuments().readPdf(toPdf([['x']]), { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
