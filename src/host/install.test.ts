import { expect, test } from 'vitest'
import { isAlive } from '../../test/helpers/is-alive.ts'
import { define, makeChangeling, openHost, quickTimes, until } from '../../test/helpers/open-changeling.ts'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { makeLauncher } from '../../test/upstream-servers/fake-launcher.ts'
import type { UpstreamEntry, UpstreamsOptions } from './open-upstreams.ts'

/** A server that is started by a launcher. The launchers are programs of ours under their names. */
function makeInstalled(name: 'npx' | 'uvx' | 'docker', more: UpstreamEntry = {}) {
  const launcher = makeLauncher(name, makeFolder())
  const { entry } = makeChangeling([define('echo')])
  const words = [entry.command, ...entry.args]
  const args = name === 'docker' ? ['run', '-i', ...words] : ['odd-server', ...words]
  return { ...launcher, entry: { command: name, args, env: launcher.env, ...more } satisfies UpstreamEntry }
}

function open(servers: { [name: string]: UpstreamEntry }, options: Partial<UpstreamsOptions> = {}) {
  const states: string[] = []
  const opened = openHost(servers, { start: 'eager', waitMs: 0, ...options })
  opened.upstreams.onChange(
    (name, change) => change === 'state' && states.push(opened.upstreams.get(name)!.status().state),
  )
  return { ...opened, states }
}

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)(
  'npx, uvx and docker may install for longer than a start may take; the start counts from the end of that',
  async () => {
    const launchers = ['npx', 'uvx', 'docker'] as const
    const installed = launchers.map((name) => [name, makeInstalled(name, { startupMs: 5000 })] as const)
    const { upstreams } = open(Object.fromEntries(installed.map(([name, { entry }]) => [name, entry])))
    const statesOf = Object.fromEntries(launchers.map((name) => [name, [] as string[]]))
    upstreams.onChange(
      (name, change) => change === 'state' && statesOf[name]!.push(upstreams.get(name)!.status().state),
    )
    const ready = launchers.map((name) => upstreams.get(name)!.ready())
    await until(() => launchers.every((name) => statesOf[name]!.includes('installing')))
    await new Promise((resolve) => setTimeout(resolve, 5500))
    for (const [name, { release }] of installed) {
      const by = name === 'docker' ? 'docker run' : name
      expect(upstreams.get(name)!.status()).toMatchObject({ state: 'installing', installing: { by } })
      release()
    }
    for (const each of ready) expect(await each).toMatchObject({ state: 'ready' })
    for (const name of launchers) expect(statesOf[name]!.slice(-3)).toEqual(['installing', 'starting', 'ready'])
  },
)

test.skipIf(!isLinux)('a server that hangs after its install fails when its start takes too long', async () => {
  const { env, release } = makeLauncher('npx', makeFolder())
  const args = ['odd-server', process.execPath, '-e', 'setInterval(() => {}, 1000)']
  const { upstreams, states } = open({ odd: { command: 'npx', args, env, startupMs: 1000 } })
  await until(() => states.includes('installing'))
  release()
  await until(() => states.includes('failed'))
  // The connection and the start have the same limit, and either may end first.
  expect(upstreams.get('odd')!.status().fault).toMatch(/was not ready within (1 s|1000 ms)\./)
})

test('an install that takes too long fails, and its process is ended', async () => {
  const { entry, events } = makeInstalled('npx', { installMs: 1000 })
  const { upstreams, states } = open({ odd: entry }, { times: { ...quickTimes, pauses: { firstMs: 60_000, maxMs: 60_000, healthyMs: 60_000 } } }) // biome-ignore format: one line
  await until(() => states.includes('failed'))
  expect(upstreams.get('odd')!.status().fault).toContain('was not installed within 1 s')
  await until(() => !isAlive(Number(events()[0]!.split(' ')[1])))
})

test('a call says that its server is being installed, and works once that is done', async () => {
  const { entry, release } = makeInstalled('npx')
  const { call } = open({ odd: entry }, { times: { ...quickTimes, maxCallWaitMs: 500 } })
  expect(await call('odd.echo')).toMatchObject({
    error: {
      code: 'toolset_unavailable',
      message: expect.stringMatching(/odd is being installed \(npx, \d+ s so far\)/),
    },
  })
  release()
  await until(async () => (await call('odd.echo')).success)
})

test('two servers do not install the same package concurrently', async () => {
  const { entry, release, events } = makeInstalled('npx')
  const { upstreams } = open({ one: entry, two: entry })
  await until(() => events().length === 1)
  release()
  await upstreams.settled()
  expect(upstreams.statuses().map(({ state }) => state)).toEqual(['ready', 'ready'])
  expect(events().map((event) => event.split(' ')[0])).toEqual(['begin', 'installed', 'begin', 'installed'])
})

test('an install is finished although no call waits for it any more, and nothing is left of it then', async () => {
  const { entry, release, events } = makeInstalled('npx')
  const { upstreams, states } = open({ odd: entry })
  await until(() => states.includes('installing') && events().length === 1)
  const pid = Number(events()[0]!.split(' ')[1])
  await upstreams.close()
  expect(isAlive(pid)).toBe(true)
  release()
  await until(() => events().length === 2)
  await until(() => !isAlive(pid))
})
