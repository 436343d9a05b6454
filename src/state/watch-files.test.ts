import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { watchFiles } from './watch-files.ts'

/** Longer than two looks at a file. */
const someLooksMs = 1200

function watch() {
  const path = join(makeFolder(), 'file')
  writeFileSync(path, 'first')
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const stop = watchFiles([path], async () => {
    seen.push(readFileSync(path, 'utf8'))
    await gate.promise
  })
  onTestFinished(stop)
  return { seen, release: gate.resolve, write: (text: string) => writeFileSync(path, text) }
}

test('each change is reported once, and one during a report after it', async () => {
  const { seen, release, write } = watch()
  await sleep(someLooksMs)
  expect(seen).toEqual([])
  write('second one')
  await expect.poll(() => seen).toEqual(['second one'])
  write('the third')
  await sleep(someLooksMs)
  expect(seen).toEqual(['second one'])
  release()
  await expect.poll(() => seen).toEqual(['second one', 'the third'])
  await sleep(someLooksMs)
  expect(seen).toHaveLength(2)
})

test('a file that keeps changing is reported once it stays as it is', async () => {
  const { seen, release, write } = watch()
  release()
  for (let length = 1; length <= 30; length++) {
    write('x'.repeat(length))
    await sleep(40)
  }
  expect(seen).toEqual([])
  await expect.poll(() => seen).toEqual(['x'.repeat(30)])
})

test('however many files are watched, there is one timer, and none afterwards', () => {
  const begun = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => void vi.restoreAllMocks())
  const stops = ['one', 'two', 'three'].map((name) => watchFiles([join(makeFolder(), name)], () => {}))
  expect(begun).toHaveBeenCalledOnce()
  for (const stop of stops) stop()
  expect(ended).toHaveBeenCalledExactlyOnceWith(begun.mock.results[0]!.value)
})
