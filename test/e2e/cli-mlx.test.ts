import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isListening } from '../../src/toolsets/mlx/capability/model-servers/port-state.ts'
import { until } from '../helpers/open-serve.ts'
import { openCommandFolder } from '../helpers/run-command.ts'
import { takePort } from '../helpers/take-port.ts'
import { modelServerCommand, watchServers } from '../helpers/watch-servers.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)
writeFileSync(
  join(folder, 'config.json'),
  JSON.stringify({ mlxctl: { driver: 'process', command: modelServerCommand } }),
)

/** The command, with a port of its own. */
async function open() {
  const port = await takePort()
  const { environment: env, living } = watchServers()
  async function call(tool: string, more: readonly string[], during?: (child: ChildProcess) => void) {
    const args = ['call', tool, `port=${port}`, ...more, '--config', 'config.json', '--yes', '--json']
    const { code, stdout } = await run(args, { env, alone: true, ...(during && { during }) })
    return { code, ...(stdout !== '' && { told: JSON.parse(stdout) }) }
  }
  return {
    port,
    living,
    load: (model: string, during?: (child: ChildProcess) => void) => call('mlx.load', [`model=${model}`], during),
    unload: () => call('mlx.unload', []),
    isOpen: () => isListening('127.0.0.1', port),
  }
}

test('a model outlives the command that loaded it, and a later command unloads it', async () => {
  const { load, unload, living, isOpen, port } = await open()
  expect(await load('good/model')).toMatchObject({ code: 0, told: { success: true, ok: true, port } })
  expect(living()).toHaveLength(1)
  expect(await isOpen()).toBe(true)
  expect(await unload()).toMatchObject({ code: 0, told: { ok: true } })
  expect(living()).toEqual([])
  expect(await isOpen()).toBe(false)
})

test('of two commands at once that load on one port, one wins', async () => {
  const { load, living } = await open()
  const results = await Promise.all([load('slow/first'), load('slow/second')])
  const [won, lost] = results.toSorted((one, other) => one.code! - other.code!)
  expect(won).toMatchObject({ code: 0, told: { ok: true } })
  expect(lost).toMatchObject({ told: { error: { code: 'port_busy', status: 409 } } })
  expect(living()).toHaveLength(1)
})

test('a command that is interrupted ends only when nothing is left of what it started', async () => {
  const { load, living, isOpen } = await open()
  const ended = await load('dead-loader/model', (child) => {
    void until(isOpen).then(() => child.kill('SIGINT'))
  })
  expect(ended).toMatchObject({ code: 130 })
  expect(living()).toEqual([])
  expect(await isOpen()).toBe(false)
})

test('what a command that was killed left behind keeps its port until it is unloaded', async () => {
  const { load, unload, living, isOpen } = await open()
  await load('dead-loader/model', (child) => {
    void until(isOpen).then(() => child.kill('SIGKILL'))
  })
  expect(living()).toHaveLength(1)
  expect(await load('good/model')).toMatchObject({ told: { error: { code: 'port_busy' } } })
  expect(await unload()).toMatchObject({ code: 0, told: { ok: true } })
  expect(living()).toEqual([])
  expect(await load('good/model')).toMatchObject({ code: 0 })
})
