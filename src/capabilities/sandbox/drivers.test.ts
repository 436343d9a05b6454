import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { defaultLimits } from '../process/limits.ts'
import { createBubblewrap } from './bubblewrap/bubblewrap.ts'
import { explainFailure } from './bubblewrap/explain-failure.ts'
import { probe } from './probe.ts'
import type { Profile } from './sandbox.ts'
import { confineWithSeatbelt } from './seatbelt/seatbelt.ts'
import { toSeatbeltProfile } from './seatbelt/to-seatbelt-profile.ts'

const profile: Profile = {
  words: ['/usr/local/bin/node', 'server.js'],
  environment: { PATH: '/usr/bin', TOKEN: 'secret', XDG_CONFIG_HOME: '/Users/ada/.config' },
  workingDirectory: '/Users/ada/app',
  home: '/state/servers/odd/home',
  packages: '/state/servers/odd/packages',
  mayInstall: false,
  read: ['/Users/ada/notes "x"', '/Users/ada/drafts/kept'],
  write: ['/Users/ada/drafts', '/Users/ada/drafts/kept/new'],
  protected: ['/Users/ada/drafts/a/toolpact.json'],
  pinned: ['/Users/ada/drafts/a'],
  hidden: ['/state'],
  emptied: [],
  scratch: [],
  unixSockets: false,
  terminals: false,
  limits: defaultLimits,
  scratchBytes: 1_000_000,
  isCommand: false,
  network: ['api.notion.com'],
  proxy: 'http://toolpact:key@127.0.0.1:4567',
}

test('the Seatbelt profile denies everything but the system, what was granted and the proxy', () => {
  const lines = toSeatbeltProfile(profile, '/state/servers/odd/home/tmp').split('\n')
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
  const [reads, writes] = ['file-read* (literal', 'file-write* (literal'].map((start) => lines.find((line) => line.includes(start))!) // biome-ignore format: one line
  expect(reads).toContain(String.raw`(subpath "/Users/ada/notes \"x\"")`)
  expect(reads).not.toMatch(/subpath "\/Users\/ada"|subpath "\/"|subpath "\/private"\)/)
  expect(writes).toContain('(subpath "/Users/ada/drafts")')
  expect(writes).not.toMatch(/notes|packages/)
  expect(lines).toContain('(deny file-write* (subpath "/state/servers/odd/packages"))')
  expect(lines).toContain('(deny file-write* (subpath "/Users/ada/drafts/a/toolpact.json"))')
  expect(lines).toContain('(deny file-write-unlink (literal "/Users/ada/drafts/a"))')
  // Later lines win: a folder to read in one to write, one to write in that, and its own folders in the state directory.
  const at = (line: string) => lines.indexOf(line)
  expect(at(writes!)).toBeLessThan(at('(deny file-write* (subpath "/Users/ada/drafts/kept"))'))
  expect(at('(deny file-write* (subpath "/Users/ada/drafts/kept"))')).toBeLessThan(at('(allow file-write* (subpath "/Users/ada/drafts/kept/new"))')) // biome-ignore format: one line
  expect(at('(deny file-read* file-write* (subpath "/state"))')).toBeLessThan(at('(allow file-read* (subpath "/state/servers/odd/home") (subpath "/state/servers/odd/home/tmp") (subpath "/state/servers/odd/packages"))')) // biome-ignore format: one line
  expect(lines.filter((line) => line.includes('network'))).toEqual([
    '(allow network-outbound (remote ip "localhost:4567"))',
    '(deny network* (remote unix-socket))',
  ])
  expect(toSeatbeltProfile({ ...profile, network: 'any' }, '/t')).toContain('(allow network*)')
  expect(toSeatbeltProfile({ ...profile, mayInstall: true }, '/t')).not.toContain(
    '(deny file-write* (subpath "/state/servers',
  )
  const { proxy: _, ...offline } = profile
  expect(toSeatbeltProfile({ ...offline, network: 'none' }, '/t')).not.toContain('allow network')
})

test('Seatbelt runs the command with a home, a temporary folder and a proxy of its own', () => {
  const { program, arguments: words, environment, workingDirectory, sendsListeners } = confineWithSeatbelt(profile)
  expect([program, words[0], ...words.slice(-2)]).toEqual(['/usr/bin/sandbox-exec', '-p', ...profile.words])
  expect(environment).toMatchObject({
    HOME: profile.home,
    TMPDIR: `${profile.home}/tmp`,
    HTTPS_PROXY: profile.proxy,
    NODE_USE_ENV_PROXY: '1',
    TOKEN: 'secret',
  })
  expect(environment).not.toHaveProperty('XDG_CONFIG_HOME')
  // It has no loopback of its own: a granted service of the machine is reached by the proxy.
  expect(environment).not.toHaveProperty('NO_PROXY')
  expect([workingDirectory, sendsListeners]).toEqual(['/Users/ada/app', false])
})

test('Seatbelt gives a command a temporary folder that is discarded, terminals, and no network', () => {
  const { home: _, packages: __, proxy: ___, ...own } = profile
  const command: Profile = { ...own, environment: { HOME: '/Users/ada' }, network: 'none', terminals: true, isCommand: true } // biome-ignore format: one line
  const confined = confineWithSeatbelt(command)
  expect([confined.program, confined.descriptor]).toEqual(['/bin/sh', 'lifeline'])
  const words = confined.arguments
  const text = words[words.indexOf('-p') + 1]!
  const temporary = confined.environment.TMPDIR!
  expect(words[words.indexOf('-p') - 1]).toBe('/usr/bin/sandbox-exec')
  expect(text).toContain(`(allow file-write* (subpath ${JSON.stringify(temporary)}))`)
  expect(text).toContain('(allow pseudo-tty)')
  expect(text).not.toContain('allow network')
  expect(confined.environment).toMatchObject({ HOME: '/Users/ada', npm_config_cache: `${temporary}/.cache/npm` })
  writeFileSync(join(temporary, 'left'), '')
  expect(confined.finish!('')).toEqual([join(temporary, 'left')])
  expect(existsSync(temporary)).toBe(false)
  expect(confined.finish!('')).toEqual([])
  const sockets = toSeatbeltProfile({ ...command, unixSockets: true }, '/t')
  expect(sockets).toContain('(allow network* (local unix-socket) (remote unix-socket))')
})

const facts = { appArmor: false, switchedOff: false, container: false }
const refused = 'bwrap: setting up uid map: Permission denied'

test.each([
  ['Ubuntu', refused, { ...facts, appArmor: true }, /AppArmor forbids user namespaces/, /bwrap-userns-restrict/],
  ['a container', 'bwrap: No permissions to create new namespace', { ...facts, container: true }, /this is a container/, /--security-opt/], // biome-ignore format: one line
  [
    'a switch',
    refused,
    { ...facts, switchedOff: true },
    /are switched off/,
    /sysctl -w kernel\.unprivileged_userns_clone=1/,
  ],
  ['something else', refused, facts, /Permission denied$/, /`bwrap --unshare-all --ro-bind \/ \/ true`/],
  [
    'an unrelated complaint',
    'bwrap: execvp sh: ENOENT',
    { ...facts, appArmor: true },
    /ENOENT$/,
    /bwrap --unshare-all/,
  ],
])('why bubblewrap does not work, and what would help: %s', (_, complaint, found, reason, suggestion) => {
  const explained = explainFailure(complaint, found)
  expect(explained.reason).toMatch(reason)
  expect(explained.suggestion).toMatch(suggestion)
})

test('on this machine the facts are read', () => {
  expect(explainFailure(refused).reason).toContain('bubblewrap does not work here: bwrap: setting up uid map')
})

test('each system has its own driver, Windows has none and says so, and the probe runs once', async () => {
  expect(await probe({ platform: 'win32' })).toEqual({
    reason: 'Windows has no sandbox that Toolpact can use',
    suggestion: expect.stringContaining('"container"'),
  })
  if (process.platform !== 'darwin') expect(await probe({ platform: 'darwin' })).toMatchObject({ reason: 'Seatbelt is part of macOS' }) // biome-ignore format: one line
  if (process.platform === 'darwin') expect(await probe()).toMatchObject({ driver: { name: 'seatbelt' } })
  expect(await probe({ platform: 'freebsd' })).toMatchObject({ reason: 'there is no sandbox for freebsd' })
  expect(probe()).toBe(probe())
})

test.skipIf(process.platform !== 'linux')('a bubblewrap that is missing, fails or is old is told apart', async () => {
  const folder = makeFolder()
  expect(await createBubblewrap({ searchPath: folder }).findFault()).toEqual({
    reason: 'bubblewrap is not installed',
    suggestion: 'install bubblewrap (apt-get install bubblewrap)',
  })
  const install = (script: string) => {
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bwrap'), 0o755)
    return createBubblewrap({ searchPath: folder })
  }
  expect(await install('echo "bwrap: broken" >&2; exit 1').findFault()).toMatchObject({ reason: 'bubblewrap does not work here: bwrap: broken' }) // biome-ignore format: one line
  const old = install('case "$*" in *--size*) echo "bwrap: Unknown option --size" >&2; exit 1;; esac')
  expect(await old.findFault()).toBeUndefined()
  expect(old.confine({ ...profile, environment: { PATH: '/usr/bin', HOME: '/' }, home: join(folder, 'home'), hidden: [] }).arguments).not.toContain('--size') // biome-ignore format: one line
})
