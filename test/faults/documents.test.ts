import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDocuments } from '../../src/toolsets/web/capability/documents.ts'
import { pdfBombs, toLargePicture } from '../data/pdf-bombs.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { toPdf } from '../helpers/to-pdf.ts'

const { signal } = new AbortController()
const read = (bytes: Uint8Array) => openDocuments().readPdf(bytes, { signal })

test('pictures are not decoded, and of many pages the first are read', { timeout: 60_000 }, async () => {
  const peak = watchPeak()
  expect(await read(toLargePicture())).toMatchObject({ text: 'Tea', truncated: false })
  const pages = Array.from({ length: 3000 }, (_, at) => [`Page ${at + 1}.`])
  const { text, ...rest } = await read(toPdf(pages))
  expect(rest).toMatchObject({ pages: 3000, truncated: true })
  expect(text.split('\n\n')).toHaveLength(500)
  expect(peak()).toBeLessThan(1024 ** 2)
})

test.each(Object.keys(pdfBombs))('%s: given up before it takes a gigabyte', { timeout: 90_000 }, async (what) => {
  const peak = watchPeak()
  await expect(read(pdfBombs[what]!())).rejects.toMatchObject({
    code: 'parse_failed',
    message: expect.stringMatching(/expands to more than 256 MB|too much memory|too long/),
    suggestion: expect.stringContaining('another source'),
  })
  expect(peak()).toBeLessThan(1024 ** 2)
})

test('documents are read one at a time, and each call gets its own text', { timeout: 60_000 }, async () => {
  const documents = openDocuments()
  const words = ['one', 'two', 'three', 'four']
  let max = 0
  const timer = setInterval(() => {
    max = Math.max(max, childrenOf(process.pid).length)
  }, 5)
  onTestFinished(() => clearInterval(timer))
  const texts = await Promise.all(words.map((word) => documents.readPdf(toPdf([[word]]), { signal, waitMs: 60_000 })))
  expect(texts.map(({ text }) => text)).toEqual(words)
  expect(max).toBeLessThanOrEqual(1)
})

test('a call that waits too long, or behind too many, is asked to retry', { timeout: 60_000 }, async () => {
  const documents = openDocuments()
  const controller = new AbortController()
  const wait = (caller: string) => documents.readPdf(toPdf([['x']]), { signal: controller.signal, caller })
  const first = documents.readPdf(slowBomb(), { signal: controller.signal })
  await expect(documents.readPdf(toPdf([['x']]), { signal, waitMs: 1 })).rejects.toMatchObject({
    code: 'parse_failed',
    message: expect.stringContaining('other PDFs are still in the queue'),
    suggestion: 'Call again in a few seconds.',
  })
  const waiting = Array.from({ length: 8 }, () => wait('one'))
  await expect(wait('one')).rejects.toThrow('other PDFs are still in the queue')
  waiting.push(...Array.from({ length: 8 }, () => wait('two')))
  await expect(wait('three')).rejects.toThrow('other PDFs are still in the queue')
  const settled = Promise.allSettled([first, ...waiting])
  controller.abort(new Error('enough'))
  for (const { reason } of (await settled) as PromiseRejectedResult[]) expect(reason.message).toBe('enough')
  expect(await documents.readPdf(toPdf([['Tea']]), { signal, waitMs: 60_000 })).toMatchObject({ text: 'Tea' })
})

test('callers take turns: one that sends many bombs delays another by the one being read', {
  timeout: 60_000,
}, async () => {
  const documents = openDocuments()
  const ended: string[] = []
  const bombs = Array.from({ length: 4 }, () =>
    documents
      .readPdf(slowBomb(), { signal, caller: 'bomber', timeoutMs: 500, waitMs: 60_000 })
      .catch(() => ended.push('bomb')),
  )
  const read = async (word: string, caller: string) => {
    await documents.readPdf(toPdf([[word]]), { signal, caller, waitMs: 60_000 })
    ended.push(word)
  }
  await Promise.all([...bombs, read('one', 'ada'), read('two', 'ada'), read('three', 'bob')])
  expect(ended).toEqual(['bomb', 'one', 'three', 'bomb', 'two', 'bomb', 'bomb'])
})

const isElsewhere = process.platform !== 'linux'

test('the reader gets no variable and no descriptor of ours, and ends with the call', {
  skip: isElsewhere,
  timeout: 60_000,
}, async () => {
  const controller = new AbortController()
  const reading = openDocuments().readPdf(slowBomb(), { signal: controller.signal })
  const reader = await vi.waitUntil(() => childrenOf(process.pid)[0], { timeout: 20_000 })
  await vi.waitUntil(() => readFileSync(`/proc/${reader}/cmdline`, 'utf8').includes('read-pdf'), { timeout: 60_000 })
  expect(readFileSync(`/proc/${reader}/environ`, 'utf8')).toBe('')
  const targets = readdirSync(`/proc/${reader}/fd`).flatMap((name) => {
    try {
      return name > '2' ? [readlinkSync(`/proc/${reader}/fd/${name}`)] : []
    } catch {
      return []
    }
  })
  expect(targets.filter((target) => !/^(?:anon_inode:|pipe:|\/dev\/null|.*read-pdf)/.test(target))).toEqual([])
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  expect(isAlive(reader)).toBe(false)
})

test('the reader dies with us, even while it is busy', { skip: isElsewhere, timeout: 60_000 }, async () => {
  const program = `import { openDocuments } from ${JSON.stringify(new URL('../../src/toolsets/web/capability/documents.ts', import.meta.url))}
    import { pdfBombs } from ${JSON.stringify(new URL('../data/pdf-bombs.ts', import.meta.url))}
    await openDocuments().readPdf(pdfBombs['forms that draw forms'](), { signal: new AbortController().signal })`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const reader = await vi.waitUntil(() => childrenOf(parent.pid!)[0], { timeout: 20_000 })
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await vi.waitUntil(() => !isAlive(reader), { timeout: 20_000 })
})

/** Takes at least ten seconds, until a limit stops it. */
function slowBomb(): Uint8Array {
  return pdfBombs['forms that draw forms']!()
}

/** The reader processes of a process. Linux only. */
function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1]) === parent)
    .filter((pid) => !/^State:\s+Z/m.test(statusOf(pid)))
}

/** Peak memory of our children, in kilobytes. */
function watchPeak(): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const pid of childrenOf(process.pid))
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0))
  }, 20)
  onTestFinished(() => clearInterval(timer))
  return () => peak
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
