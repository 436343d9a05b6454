import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { defaultLimits } from '../../process/limits.ts'
import { toMounts } from '../bubblewrap/mounts.ts'
import { createCommandProfile } from './command-profile.ts'

test('a command finds the paths of the options as they ask, and later mounts cover earlier ones', () => {
  const home = realpathSync(makeFolder())
  const workingDirectory = join(home, 'work')
  mkdirSync(join(workingDirectory, 'settings'), { recursive: true })
  mkdirSync(join(home, 'data'))
  mkdirSync(join(home, 'state'))
  symlinkSync(join(home, 'data'), join(home, 'link'))
  const config = join(workingDirectory, 'settings', 'toolpact.json')
  writeFileSync(config, '{}')
  const profile = createCommandProfile({
    workingDirectory,
    home,
    searchPath: '',
    network: false,
    unixSockets: false,
    read: [join(home, 'link'), join(home, 'missing')],
    hidden: [join(home, 'state'), join(home, 'missing')],
    protected: [config, join(home, 'outside')],
    limits: defaultLimits,
  })({ words: ['/bin/true'], environment: { HOME: '/elsewhere' }, git: { access: 'read', directories: [] } })
  expect(profile).toMatchObject({ environment: { HOME: home }, network: 'none', unixSockets: false })
  const own = toMounts(profile, undefined).filter(
    ({ path }) => path === home || (path.startsWith(home) && !/^\.\w/.test(path.slice(home.length + 1))),
  )
  expect(own.filter(({ path }) => path !== join(home, 'go'))).toEqual([
    { path: home, as: 'hidden' },
    { path: join(home, 'link'), as: 'readable' },
    { path: join(home, 'data'), as: 'readable' },
    { path: workingDirectory, as: 'writable' },
    { path: join(workingDirectory, 'settings'), as: 'writable' },
    { path: config, as: 'protected' },
    { path: join(home, 'state'), as: 'hidden' },
  ])
})
