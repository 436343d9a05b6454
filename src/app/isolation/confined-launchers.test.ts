import { beforeEach, describe, expect, test } from 'vitest'
import { openConfinedPackages } from '../../../test/helpers/confined-packages.ts'
import { findProgram } from '../../capabilities/process/find-program.ts'
import { probe } from '../../capabilities/sandbox/probe.ts'

const works = process.platform === 'linux' && 'driver' in (await probe())
const isAbsent = (program: string) => findProgram(program, process.env.PATH, '/nowhere') === undefined

let packages: Awaited<ReturnType<typeof openConfinedPackages>>
beforeEach(async () => {
  packages = await openConfinedPackages()
  return () => packages.registry.close()
})

const commands = [
  ['npm', 'exec', '--yes', '--', '@odd/server@1.0.0'],
  ['pnpm', 'dlx', '@odd/server@1.0.0'],
  ['pnpm', '--package=@odd/server@1.0.0', 'dlx', 'odd-server'],
  ['pnpx', '@odd/server@1.0.0'],
  ['bun', 'x', '@odd/server@1.0.0'],
  ['bunx', '--bun', '@odd/server@1.0.0'],
  ['yarn', 'dlx', '-q', '@odd/server@1.0.0'],
] as const

describe.skipIf(!works)('launchers of npm packages (skipped where no sandbox works)', () => {
  for (const words of commands)
    test.skipIf(isAbsent(words[0]))(
      `${words.join(' ')}: installed once, and run from where the server cannot write (skipped without ${words[0]})`,
      async () => {
        const { publish, open, readRecord, registry } = packages
        const integrity = publish('1.0.0')
        const { toolpact, evaluate, readOwn } = await open(words)
        expect(await readOwn('version')).toBe('1.0.0')
        expect(await evaluate(`fs.appendFileSync(own, ' ')`)).toBe('EROFS')
        expect(await evaluate(`return typeof Bun`)).toBe(words.includes('--bun' as never) ? 'object' : 'undefined')
        // Yarn records another checksum.
        expect(readRecord()).toMatchObject({ version: '1.0.0', ...(words[0] !== 'yarn' && { integrity }) })
        await toolpact.close()
        registry.asked.length = 0
        expect(await (await open(words)).readOwn('version')).toBe('1.0.0')
        expect(registry.asked).toEqual([])
      },
    )

  for (const words of [commands[1], commands[4]])
    test.skipIf(isAbsent(words[0]))(
      `${words[0]}: a tarball with another integrity is refused (skipped without ${words[0]})`,
      async () => {
        // biome-ignore format: one line
        packages.publish('1.0.0', {}, {}, `sha512-${Buffer.alloc(64).toString('base64')}`)
        const { call } = await packages.open(words)
        expect(await call('processes')).toMatchObject({ message: expect.stringMatching(/could not be installed.*integrity/is) }) // biome-ignore format: one line
        expect(packages.listInstalls()).toEqual([])
      },
    )

  test.skipIf(isAbsent('yarn'))(
    'yarn: the integrity of the registry is not checked (skipped without yarn)',
    async () => {
      packages.publish('1.0.0', {}, {}, `sha512-${Buffer.alloc(64).toString('base64')}`)
      expect(await (await packages.open(commands[6])).readOwn('version')).toBe('1.0.0')
    },
  )
})
