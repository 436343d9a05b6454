import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('what is behind a symlink is looked at as often, and noticed when the link is exchanged', async () => {
  const folder = makeFolder()
  for (const name of ['one', 'two']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'file'), name)
  }
  const link = join(folder, 'link')
  symlinkSync('one', link)
  const seen: string[] = []
  onTestFinished(watchFiles([join(link, 'file')], () => seen.push(readFileSync(join(link, 'file'), 'utf8'))))
  await sleep(someLooksMs)
  symlinkSync('two', `${link}-new`)
  renameSync(`${link}-new`, link)
  await expect.poll(() => seen).toEqual(['two'])
})

test('however many files are watched, one timer is left, and none afterwards', () => {
  const made = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const stops = ['one', 'two', 'three'].map((name) => watchFiles([join(makeFolder(), name)], () => {}))
  const left = () => made.mock.results.map(({ value }) => value as NodeJS.Timeout & { _destroyed: boolean })
  const active = () => left().filter(({ _destroyed }) => !_destroyed)
  expect(active()).toHaveLength(1)
  for (const stop of stops) stop()
  expect(active()).toHaveLength(0)
})
