import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { createServerProfile, type ServerOptions } from './server-profile.ts'

function toOptions(more: Partial<ServerOptions> = {}): ServerOptions {
  const stateDirectory = realpathSync(makeFolder())
  const [home, packages] = [join(stateDirectory, 'home'), join(stateDirectory, 'packages')]
  for (const folder of [home, packages]) mkdirSync(folder)
  return {
    words: ['/usr/bin/server'],
    environment: { PATH: '/usr/bin', HOME: '/' },
    workingDirectory: '/',
    home,
    packages,
    read: [],
    write: [],
    network: 'none',
    protectedPaths: [],
    stateDirectory,
    ...more,
  }
}

test('packages are installed where they stay: no empty folder covers the one that the install runs in', () => {
  const options = toOptions({ mayInstall: true })
  const inside = join(options.packages!, 'one')
  expect(createServerProfile({ ...options, workingDirectory: inside }).scratch).toEqual([])
  // A folder that the server may not see is empty for it.
  expect(createServerProfile({ ...options, workingDirectory: options.home }).scratch).toEqual([options.home])
})

test('a server without hosts gets a proxy that refuses everything, and no secret of the system', () => {
  const profile = createServerProfile(toOptions())
  expect(profile).toMatchObject({ network: [], unixSockets: false, terminals: false, isCommand: false })
  expect(profile.read).toContain(realpathSync(process.execPath))
  expect(profile.hidden).not.toContain(toOptions().stateDirectory)
  expect(createServerProfile(toOptions({ network: 'any' })).network).toBe('any')
})

test('what is around the state directory and protected files may be granted, but not these', () => {
  const folder = realpathSync(makeFolder())
  const config = join(folder, 'settings', 'toolpact.json')
  mkdirSync(join(folder, 'settings'))
  mkdirSync(join(folder, 'state'))
  writeFileSync(config, '{}')
  const options = {
    write: [folder],
    protectedPaths: [config, folder, '/outside'],
    stateDirectory: join(folder, 'state'),
  }
  const profile = createServerProfile(toOptions(options))
  expect(profile).toMatchObject({ write: [folder], protected: [config], pinned: [join(folder, 'settings')] })
  expect(profile.hidden).toContain(join(folder, 'state'))
})

test('a container brings its own programs', () => {
  expect(createServerProfile(toOptions({ image: 'node:24-slim' })).read).toEqual([])
})
