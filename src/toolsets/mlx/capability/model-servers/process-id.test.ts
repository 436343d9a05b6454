import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isSameProcess, processId } from './process-id.ts'

test('a process is distinguished from an exited one, and from another with a reused id', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const id = processId(child.pid!)
  expect(id.began).not.toBe('')
  expect(isSameProcess(id)).toBe(true)
  expect(isSameProcess({ ...id, began: processId(process.pid).began })).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isSameProcess(id)).toBe(false)
})

test('a process that waits to be buried has ended', async () => {
  // The shell starts one, becomes a program that never asks about it, and says its number.
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  await expect.poll(() => isSameProcess({ pid, began: '' })).toBe(false)
})
