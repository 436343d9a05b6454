import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { createServerProfile } from '../server/server-profile.ts'
import { createContainer, toContainerWords } from './container.ts'

const docker = { name: 'toolpact-1', isPodman: false }

/** The profile of a server in an image. */
function toProfile(more: object = {}) {
  const folder = realpathSync(makeFolder())
  const path = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  const profile = createServerProfile({
    words: ['node', 'server.js'],
    environment: { PATH: '/usr/bin', HOME: '/home/ada', TOKEN: 'secret', LANG: 'C', DOCKER_HOST: 'x', XDG_CONFIG_HOME: '/home/ada/.config' }, // biome-ignore format: one line
    workingDirectory: folder,
    home: path('state/home'),
    packages: path('state/packages'),
    read: [path('notes "x", y')],
    write: [path('drafts')],
    protectedPaths: [],
    stateDirectory: path('state'),
    network: 'none',
    image: 'node:24-slim',
    ...more,
  })
  return { folder, profile, path }
}

test.skipIf(process.platform === 'win32')(
  'a container has no network, no privileges, limits, and no secret in its arguments',
  () => {
    const { folder, profile } = toProfile()
    const words = toContainerWords(profile, docker)
    const line = words.join(' ')
    expect(line).toMatch(/^run --interactive --rm --init --name toolpact-1 --read-only --network none --cap-drop ALL --security-opt no-new-privileges --pids-limit 512 --memory \d+ --log-driver none --tmpfs \/tmp:rw,size=536870912 --user \d+:\d+ --mount /) // biome-ignore format: one line
    const mounts = words.filter((_, index) => words[index - 1] === '--mount')
    expect(mounts).toEqual([
      `type=bind,"source=${folder}/notes ""x"", y","destination=${folder}/notes ""x"", y",readonly`,
      `type=bind,source=${folder}/drafts,destination=${folder}/drafts`,
      `type=bind,source=${folder}/state/home,destination=/home/toolpact`,
      `type=bind,source=${folder}/state/packages,destination=${folder}/state/packages,readonly`,
    ])
    const variables = words.filter((_, index) => words[index - 1] === '--env')
    expect(variables).toEqual(expect.arrayContaining(['TOKEN', 'LANG', 'HOME=/home/toolpact', 'TMPDIR=/tmp', `npm_config_cache=${folder}/state/packages/npm`])) // biome-ignore format: one line
    expect(variables.join(' ')).not.toMatch(/secret|PATH|DOCKER_HOST|XDG/)
    expect(words.slice(-5)).toEqual(['--workdir', '/home/toolpact', 'node:24-slim', 'node', 'server.js'])
    expect(toContainerWords({ ...profile, network: 'any' }, docker)).toContain('bridge')
    expect(toContainerWords({ ...profile, mayInstall: true }, docker).join(' ')).not.toContain('packages,readonly')
  },
)

test.skipIf(process.platform === 'win32')('config, lock and state are protected in granted folders, too', () => {
  const { folder } = toProfile()
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a/toolpact.json'), '{}')
  mkdirSync(join(folder, 'state'), { recursive: true })
  const { profile } = toProfile({ write: [folder], read: [folder], protectedPaths: [join(folder, 'a/toolpact.json')], stateDirectory: join(folder, 'state') }) // biome-ignore format: one line
  const line = toContainerWords(profile, docker).join(' ')
  expect(line).toContain(`--mount type=bind,source=${folder}/a,destination=${folder}/a --mount type=bind,source=${folder}/a/toolpact.json,destination=${folder}/a/toolpact.json,readonly --mount type=tmpfs,destination=${folder}/state `) // biome-ignore format: one line
  // A path that may be read and written is mounted once.
  expect(line.split(`destination=${folder} `)).toHaveLength(2)
})

test.skipIf(process.platform === 'win32')('a user of rootless Podman is the same in the container', () => {
  const { profile } = toProfile()
  const isPodman = { ...docker, isPodman: true }
  vi.spyOn(process, 'getuid').mockReturnValue(1000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(toContainerWords(profile, isPodman).join(' ')).toContain('--user 1000:')
  expect(toContainerWords(profile, isPodman).join(' ')).toContain('--userns keep-id')
  expect(toContainerWords(profile, docker)).not.toContain('keep-id')
})

test.skipIf(process.platform === 'win32')(
  'docker is preferred if it answers, podman is enough, and without them the reason is given',
  async () => {
    const folder = makeFolder()
    const install = (name: string, script: string) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(folder, name), 0o755)
      return createContainer({ searchPath: folder })
    }
    const { profile } = toProfile()
    expect(await createContainer({ searchPath: folder }).findFault()).toEqual({
      reason: 'neither docker nor podman is installed',
      suggestion: 'install one of them, or remove "container"',
    })
    const broken = install('docker', 'echo "Cannot connect to the Docker daemon." >&2; exit 1')
    expect(await broken.findFault()).toEqual({
      reason: 'docker does not answer: Cannot connect to the Docker daemon.',
      suggestion: 'start its service, or remove "container"',
    })
    const podman = install('podman', '')
    expect(await podman.findFault()).toBeUndefined()
    const confined = podman.confine(profile)
    const name = confined.arguments[confined.arguments.indexOf('--name') + 1]
    expect(confined).toMatchObject({ program: join(folder, 'podman'), sendsListeners: false, removal: ['rm', '--force', '--time', '0', name] }) // biome-ignore format: one line
    // The client finds its own settings, and the value to hand on.
    expect(confined.environment).toMatchObject({ TOKEN: 'secret', HOME: process.env.HOME })
    const working = install('docker', '')
    expect(await working.findFault()).toBeUndefined()
    expect(working.confine(profile)).toMatchObject({ program: join(folder, 'docker'), removal: ['rm', '--force', expect.any(String)] }) // biome-ignore format: one line
  },
)
