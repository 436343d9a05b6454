import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { explainFailure } from './bubblewrap/explain-failure.ts'
import { createServerBubblewrap } from './bubblewrap/server-bubblewrap.ts'
import { createContainer, toContainerWords } from './container/container.ts'
import { seatbelt, toSeatbeltProfile } from './seatbelt/seatbelt.ts'
import { probeServers } from './server/probe.ts'
import type { ServerProfile } from './server/server-driver.ts'

const profile: ServerProfile = {
  words: ['/usr/local/bin/node', 'server.js'],
  environment: { PATH: '/usr/bin', TOKEN: 'secret', XDG_CONFIG_HOME: '/Users/ada/.config' },
  workingDirectory: '/Users/ada/app',
  home: '/state/servers/odd/home',
  packages: '/state/servers/odd/packages',
  mayInstall: false,
  readable: ['/Users/ada/notes "x"'],
  writable: ['/Users/ada/drafts'],
  protectedPaths: ['/Users/ada/drafts/toolpact.json'],
  stateDirectory: '/state',
  network: ['api.notion.com'],
  proxy: 'http://toolpact:key@127.0.0.1:4567',
}

test('the Seatbelt profile denies everything but the system, what was granted and the proxy', () => {
  const lines = toSeatbeltProfile(profile).split('\n')
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
  const [reads, writes] = ['file-read* (literal', 'file-write* (literal'].map((start) => lines.find((line) => line.includes(start))!) // biome-ignore format: one line
  expect(reads).toContain(String.raw`(subpath "/Users/ada/notes \"x\"")`)
  expect(reads).not.toMatch(/subpath "\/Users\/ada"|subpath "\/"|subpath "\/private"\)/)
  expect(writes).toContain('(subpath "/Users/ada/drafts")')
  expect(writes).not.toMatch(/notes|packages/)
  expect(lines).toContain('(deny file-write* (subpath "/state/servers/odd/packages"))')
  expect(lines).toContain('(deny file-write* (subpath "/Users/ada/drafts/toolpact.json"))')
  expect(lines.filter((line) => line.includes('network'))).toEqual([
    '(allow network-outbound (remote ip "localhost:4567"))',
    '(deny network* (remote unix-socket))',
  ])
  expect(toSeatbeltProfile({ ...profile, network: 'any' })).toContain('(allow network*)')
  expect(toSeatbeltProfile({ ...profile, mayInstall: true })).not.toContain('(deny file-write* (subpath "/state')
  const { proxy: _, ...offline } = profile
  expect(toSeatbeltProfile({ ...offline, network: 'none' })).not.toContain('allow network')
})

test('Seatbelt runs the command with a home, a temporary folder and a proxy of its own', () => {
  const { program, arguments: words, environment, workingDirectory, sendsListeners } = seatbelt.confine(profile)
  expect([program, words[0], ...words.slice(2)]).toEqual(['/usr/bin/sandbox-exec', '-p', ...profile.words])
  expect(environment).toMatchObject({
    HOME: profile.home,
    TMPDIR: `${profile.home}/tmp`,
    HTTPS_PROXY: profile.proxy,
    NODE_USE_ENV_PROXY: '1',
    TOKEN: 'secret',
  })
  expect(environment).not.toHaveProperty('XDG_CONFIG_HOME')
  expect([workingDirectory, sendsListeners]).toEqual(['/Users/ada/app', false])
})

test('a container has no network, no privileges, the granted folders, and no secret in its arguments', () => {
  const words = toContainerWords({ ...profile, network: 'none', image: 'node:24-slim' }).join(' ')
  expect(words).toMatch(/^run --interactive --rm --init --read-only --network none --cap-drop ALL /)
  expect(words).toContain('--volume /Users/ada/drafts:/Users/ada/drafts ')
  expect(words).toContain('--volume /Users/ada/notes "x":/Users/ada/notes "x":ro ')
  expect(words).toContain('--env TOKEN ')
  expect(words).not.toContain('secret')
  expect(words).toMatch(/--workdir \/home\/toolpact node:24-slim \/usr\/local\/bin\/node server\.js$/)
  expect(toContainerWords({ ...profile, network: 'any', image: 'x' })).toContain('bridge')
})

test.skipIf(process.platform === 'win32')(
  'docker is preferred, podman is enough, and without them the reason is given',
  async () => {
    const folder = makeFolder()
    expect(await createContainer(folder).findFault()).toMatchObject({
      reason: 'neither docker nor podman is installed',
    })
    for (const name of ['podman', 'docker']) {
      writeFileSync(join(folder, name), '#!/bin/sh\n')
      chmodSync(join(folder, name), 0o755)
      const driver = createContainer(folder)
      expect(await driver.findFault()).toBeUndefined()
      const confined = driver.confine({ ...profile, image: 'x', network: 'none' })
      expect(confined).toMatchObject({ program: join(folder, name), sendsListeners: false })
      expect(confined.environment).toMatchObject({ TOKEN: 'secret', HOME: '/home/toolpact' })
    }
  },
)

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
  expect(await probeServers('default', 'win32')).toEqual({
    reason: 'Windows has no sandbox that Toolpact can use',
    suggestion: expect.stringContaining('"container"'),
  })
  if (process.platform !== 'darwin') expect(await probeServers('default', 'darwin')).toMatchObject({ reason: 'Seatbelt is part of macOS' }) // biome-ignore format: one line
  if (process.platform === 'darwin') expect(await probeServers()).toEqual({ driver: seatbelt })
  expect(probeServers()).toBe(probeServers())
})

test.skipIf(process.platform !== 'linux')('a bubblewrap that is missing, fails or is old is told apart', async () => {
  const folder = makeFolder()
  expect(await createServerBubblewrap(folder).findFault()).toEqual({
    reason: 'bubblewrap is not installed',
    suggestion: 'apt-get install bubblewrap',
  })
  const install = (script: string) => {
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bwrap'), 0o755)
    return createServerBubblewrap(folder)
  }
  expect(await install('echo "bwrap: broken" >&2; exit 1').findFault()).toMatchObject({ reason: 'bubblewrap does not work here: bwrap: broken' }) // biome-ignore format: one line
  const old = install('case "$*" in *--size*) echo "bwrap: Unknown option --size" >&2; exit 1;; esac')
  expect(await old.findFault()).toBeUndefined()
  expect(old.confine({ ...profile, environment: { PATH: '/usr/bin', HOME: '/' }, home: join(folder, 'home') }).arguments).not.toContain('--size') // biome-ignore format: one line
})

test('bubblewrap installs packages where they stay: no empty folder covers the one that the install runs in', () => {
  const [home, packages] = [makeFolder(), makeFolder()]
  const toWords = (workingDirectory: string) =>
    createServerBubblewrap().confine({ ...profile, home, packages, workingDirectory, mayInstall: true }).arguments
  const covered = (words: readonly string[]) => words.filter((_, index) => words[index - 1] === '--tmpfs')
  expect(covered(toWords(join(packages, 'one')))).not.toContain(join(packages, 'one'))
  // A folder that the server may not see is empty for it.
  expect(covered(toWords(home))).toContain(home)
})
