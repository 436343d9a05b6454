import { chmodSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConfinedPackages, prying } from '../../../test/helpers/confined-packages.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openPythonIndex } from '../../../test/helpers/python-index.ts'
import { findProgram } from '../../capabilities/process/find-program.ts'
import { probe } from '../../capabilities/sandbox/probe.ts'

const works = process.platform === 'linux' && 'driver' in (await probe())
const isAbsent = (program: string) => findProgram(program, process.env.PATH, '/nowhere') === undefined

async function openBoth() {
  const [packages, index] = [await openConfinedPackages(), await openPythonIndex(prying)]
  onTestFinished(() => {
    packages.registry.close()
    index.close()
  })
  return { packages, index }
}

describe.skipIf(!works)('launchers of Python packages (skipped where no sandbox works)', () => {
  test.skipIf(isAbsent('pipx'))(
    'pipx run: installed once from an index on loopback, and run from where the server cannot write (skipped without pipx)',
    async () => {
      const { packages, index } = await openBoth()
      index.publish('1.0.0')
      const env = { PIP_INDEX_URL: index.url }
      const words = ['pipx', 'run', '--spec', 'odd-server==1.0.0', 'odd-server']
      const { toolpact, evaluate, readOwn } = await packages.open(words, { env })
      expect(await readOwn('version')).toBe('1.0.0')
      expect(await evaluate(`fs.appendFileSync(own, ' ')`)).toBe('EROFS')
      expect(packages.readRecord()).toMatchObject({ program: 'bin/odd-server' })
      await toolpact.close()
      index.asked.length = 0
      expect(await (await packages.open(words, { env })).readOwn('version')).toBe('1.0.0')
      expect(index.asked).toEqual([])
    },
  )

  test.skipIf(isAbsent('pipx'))(
    'pipx run: a package that does not exist is named in the error (skipped without pipx)',
    async () => {
      // biome-ignore format: one line
      const { packages, index } = await openBoth()
      const { call } = await packages.open(['pipx', 'run', 'odd-server==9'], { env: { PIP_INDEX_URL: index.url } })
      expect(await call('processes')).toMatchObject({ message: expect.stringContaining('odd-server==9 could not be installed.') }) // biome-ignore format: one line
      expect(packages.listInstalls()).toEqual([])
    },
  )

  /** A stand-in for uv: it records its arguments and environment, and installs a program where it is told to. */
  function makeUv(): string {
    const folder = realpathSync(makeFolder())
    const script = `#!/bin/sh
mkdir -p "$UV_TOOL_DIR/odd" "$UV_TOOL_BIN_DIR" || exit 1
printf '%s\\n' "$@" > "$UV_TOOL_DIR/odd/arguments"
cat > "$UV_TOOL_DIR/odd/server.cjs" <<'END'
#!/usr/bin/env node
${prying}
END
chmod +x "$UV_TOOL_DIR/odd/server.cjs"
ln -s "$UV_TOOL_DIR/odd/server.cjs" "$UV_TOOL_BIN_DIR/odd-server"
`
    for (const name of ['uv', 'uvx']) {
      writeFileSync(join(folder, name), name === 'uv' ? script : '#!/bin/sh\necho "uvx must not run" >&2; exit 1\n')
      chmodSync(join(folder, name), 0o755)
    }
    return folder
  }

  test('uvx: uv installs the tool once, and its program runs from where it cannot write (with a stand-in for uv)', async () => {
    const { packages } = await openBoth()
    const bin = makeUv()
    const env = { PATH: `${bin}:${process.env.PATH}`, TOKEN: 'secret' }
    const words = [join(bin, 'uvx'), '--python', '3.12', '--from', 'odd-server[cli]==1.0.0', 'odd-server', '--stdio']
    const { toolpact, evaluate, readOwn } = await packages.open(words, { env })
    expect(await readOwn('arguments')).toBe(
      'tool\ninstall\n--compile-bytecode\n--python=3.12\nodd-server[cli]==1.0.0\n',
    )
    expect(await evaluate(`return process.argv.slice(2).join()`)).toBe('--stdio')
    expect(await evaluate(`fs.appendFileSync(own, ' ')`)).toBe('EROFS')
    const { folder } = packages.readRecord()
    await toolpact.close()
    await (await packages.open(words, { env })).readOwn('arguments')
    expect(packages.readRecord()).toMatchObject({ folder })
  })

  test('uv run is started with its registry and a writable cache, and its status says so (with a stand-in for uv)', async () => {
    const { packages } = await openBoth()
    const bin = realpathSync(makeFolder())
    writeFileSync(join(bin, 'uv'), `#!/usr/bin/env node\n${prying}`)
    chmodSync(join(bin, 'uv'), 0o755)
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const { toolpact, evaluate } = await packages.open(['uv', 'run', 'server.py'], { env })
    expect(await evaluate(`fs.mkdirSync(process.env.UV_CACHE_DIR); return 'written'`)).toBe('written')
    const { isolation } = toolpact.upstreams.look()[0]!
    expect(isolation).toMatchObject({ state: 'confined', weakness: expect.stringContaining('uv run installs at each start') }) // biome-ignore format: one line
  })
})
