import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { ChangeListener } from './change-listener.ts'

function open() {
  const folder = join(makeFolder(), 'folder')
  mkdirSync(folder)
  const path = join(folder, 'file')
  let reports = 0
  const listener = new ChangeListener(() => reports++)
  onTestFinished(() => listener.stop())
  return { folder, path, listener, reports: () => reports }
}

const changes = {
  created: { change: ({ path }) => writeFileSync(path, 'new') },
  written: { before: 'old', change: ({ path }) => appendFileSync(path, 'new') },
  replaced: {
    before: 'old',
    change({ path }) {
      writeFileSync(`${path}.new`, 'new')
      renameSync(`${path}.new`, path)
    },
  },
  deleted: { before: 'old', change: ({ path }) => rmSync(path) },
  'moved with its folder': { before: 'old', change: ({ folder }) => renameSync(folder, `${folder}-old`) },
  'created with its folder': {
    prepare: ({ folder }) => rmSync(folder, { recursive: true }),
    change: ({ folder }) => mkdirSync(folder),
  },
} satisfies Record<string, Change>

interface Change {
  readonly before?: string
  readonly prepare?: (place: { folder: string; path: string }) => void
  readonly change: (place: { folder: string; path: string }) => void
}

test.runIf(process.platform === 'linux').each(Object.entries<Change>(changes))(
  'a file that is %s is reported',
  async (_, { before, prepare, change }) => {
    const { listener, reports, ...place } = open()
    if (before !== undefined) writeFileSync(place.path, before)
    prepare?.(place)
    expect(listener.listen([place.path])).toBe(true)
    await sleep(50)
    expect(reports()).toBe(0)
    change(place)
    await expect.poll(reports).toBe(1)
  },
)

test.runIf(process.platform === 'linux')('after a change nothing is reported until it listens again', async () => {
  const { path, listener, reports } = open()
  listener.listen([path])
  for (let length = 1; length < 10; length++) {
    appendFileSync(path, 'x')
    await sleep(10)
  }
  expect(reports()).toBe(1)
  expect(listener.isListening).toBe(false)
  listener.listen([path])
  appendFileSync(path, 'x')
  await expect.poll(reports).toBe(2)
})

test('behind a symlink, whose target can be exchanged without a report, it does not listen', () => {
  const { folder, listener } = open()
  const path = join(`${folder}-link`, 'file')
  symlinkSync(folder, `${folder}-link`)
  writeFileSync(path, 'text')
  expect(listener.listen([path])).toBe(false)
  expect(listener.isListening).toBe(false)
})
