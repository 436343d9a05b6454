import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openMemoryStorage } from '../storage/memory/memory.ts'
import { openConsoleAddress } from './console-address.ts'

const key = 'console-address'

test('a server of this machine is found while its process runs', async () => {
  const { notes } = openMemoryStorage()
  const { announce, find } = openConsoleAddress(notes)
  expect(await find()).toBeUndefined()
  const withdraw = await announce('http://127.0.0.1:7420')
  expect(await find()).toBe('http://127.0.0.1:7420')
  await withdraw()
  expect(await find()).toBeUndefined()
  const { pid } = spawnSync(process.execPath, ['--version'])
  await notes.set(key, { url: 'http://127.0.0.1:1', pid })
  expect(await find()).toBeUndefined()
})

test('a server of another machine is found although no process here has its number, until it is silent for long', async () => {
  const { notes } = openMemoryStorage()
  const { pid } = spawnSync(process.execPath, ['--version'])
  const { find } = openConsoleAddress(notes, 'here')
  await notes.set(key, { url: 'http://there:7420', pid, host: 'there', server: 'a', at: Date.now() - 60_000 })
  expect(await find()).toBe('http://there:7420')
  // A process of this machine with the same number makes no difference.
  await notes.set(key, { url: 'http://there:7420', pid: process.pid, host: 'there', server: 'a', at: Date.now() - 600_000 }) // biome-ignore format: one line
  expect(await find()).toBeUndefined()
})

test('of several servers one is noted, another takes its place when it is gone, and only its own server withdraws a note', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { notes } = openMemoryStorage()
  const [here, there] = [openConsoleAddress(notes, 'here'), openConsoleAddress(notes, 'there')]
  const withdrawHere = await here.announce('http://here')
  const withdrawThere = await there.announce('http://there')
  await vi.advanceTimersByTimeAsync(300_000)
  expect(await here.find()).toBe('http://there')
  await withdrawHere()
  expect(await there.find()).toBe('http://there')
  const again = await here.announce('http://here')
  await withdrawThere()
  expect(await there.find()).toBe('http://here')
  // Killed: its note stays, and is renewed no more.
  await notes.set(key, { url: 'http://there', pid: 1, host: 'there', server: 'gone', at: Date.now() })
  expect(await here.find()).toBe('http://there')
  await vi.advanceTimersByTimeAsync(300_000)
  expect(await here.find()).toBe('http://here')
  await again()
})
