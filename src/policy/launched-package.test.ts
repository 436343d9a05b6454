import { expect, test } from 'vitest'
import { packageNameOf, packageOf, readLaunched } from './launched-package.ts'

test.each([
  ['npx -y @scope/server@1.2.3', { package: 'npm:@scope/server', version: '1.2.3', spec: '@scope/server@1.2.3' }],
  ['npx server@latest', { package: 'npm:server', spec: 'server@latest' }],
  ['npx server', { package: 'npm:server', spec: 'server' }],
  ['/usr/bin/npx server', { package: 'npm:server', spec: 'server' }],
  ['npx.cmd server', { package: 'npm:server', spec: 'server' }],
  ['cmd /c npx server', { package: 'npm:server', spec: 'server' }],
  ['cmd /C npx server', { package: 'npm:server', spec: 'server' }],
  ['cmd npx server', undefined],
  ['sh /c npx server', undefined],
  ['npx -p server run', { package: 'npm:server', spec: 'server' }],
  ['npx --package=server run', { package: 'npm:server', spec: 'server' }],
  ['npx --package server -- run', { package: 'npm:server', spec: 'server' }],
  ['npx --package server', { package: 'npm:server', spec: 'server' }],
  ['npx -p one -p two run', undefined],
  ['npx -p', undefined],
  ['npx --registry https://r.example server', { package: 'npm:server', spec: 'server' }],
  ['npx --registry=https://r.example server', { package: 'npm:server', spec: 'server' }],
  ['npx -- server', { package: 'npm:server', spec: 'server' }],
  ['npx', undefined],
  ['npx ./local/server.js', undefined],
  ['npm exec server', { package: 'npm:server', spec: 'server' }],
  ['npm run server', undefined],
  ['uvx server==1.0', { package: 'pypi:server', version: '1.0', spec: 'server==1.0' }],
  ['uvx --from server[all]@2.0 run', { package: 'pypi:server', version: '2.0', spec: 'server[all]@2.0' }],
  ['uv tool run --python 3.12 server', { package: 'pypi:server', spec: 'server' }],
  ['uv tool install server', undefined],
  ['node server.js', undefined],
])('%s runs %j', (line, run) => {
  const [command = '', ...args] = line.split(' ')
  expect(packageOf(command, args)).toEqual(run)
})

test.each<[line: string, found: ReturnType<typeof readLaunched>]>([
  ['npx -y server a', { launcher: 'npm', specs: ['server'], args: ['a'], options: [['-y']] }],
  ['/usr/bin/npx --yes @scope/server@1.2.3 -- a', { launcher: 'npm', specs: ['@scope/server@1.2.3'], args: ['a'], options: [['--yes']] }], // biome-ignore format: one line
  ['npx -p pack tool -v', { launcher: 'npm', specs: ['pack'], program: 'tool', args: ['-v'], options: [] }],
  ['npx -p a --package=b tool', { launcher: 'npm', specs: ['a', 'b'], program: 'tool', args: [], options: [] }],
  ['npx --registry http://r server', { launcher: 'npm', specs: ['server'], args: [], options: [['--registry', 'http://r']] }], // biome-ignore format: one line
  ['npx -y github:a/b', { launcher: 'npm', specs: ['github:a/b'], args: [], options: [['-y']] }],
  ['npx -c server', 'unclear'],
  ['npx -y', 'unclear'],
  ['npx -p -x tool', 'unclear'],
  ['pnpm --package=pack dlx tool --a', { launcher: 'pnpm', specs: ['pack'], program: 'tool', args: ['--a'], options: [] }], // biome-ignore format: one line
  ['pnpm dlx -c tool', 'unclear'],
  ['pnpx server -- a', { launcher: 'pnpm', specs: ['server'], args: ['--', 'a'], options: [] }],
  ['bun x --bun server', { launcher: 'bun', specs: ['server'], args: [], options: [['--bun']] }],
  ['yarn dlx -p pack tool', { launcher: 'yarn', specs: ['pack'], program: 'tool', args: [], options: [] }],
  ['uvx --from pack[cli]==1.0 --with one tool a', { launcher: 'uv', specs: ['pack[cli]==1.0'], program: 'tool', args: ['a'], options: [['--with', 'one']] }], // biome-ignore format: one line
  ['uv --quiet tool run -p 3.12 server', { launcher: 'uv', specs: ['server'], args: [], options: [['--quiet'], ['-p', '3.12']] }], // biome-ignore format: one line
  ['uvx --env-file .env server', 'unclear'],
  ['pipx run --spec pack==1 tool', { launcher: 'pipx', specs: ['pack==1'], program: 'tool', args: [], options: [] }],
  ['uv run server.py', undefined],
  ['uv tool', undefined],
  ['yarn start', undefined],
])('%s launches %j', (line, found) => {
  const [command = '', ...args] = line.split(' ')
  expect(readLaunched(command, args)).toEqual(found)
})

test.each<[spec: string, registry: 'npm' | 'pypi', name: string | undefined]>([
  ['@scope/server@^1.2', 'npm', '@scope/server'],
  ['server', 'npm', 'server'],
  ['./server', 'npm', undefined],
  ['server[all]>=1,<2', 'pypi', 'server'],
  ['server@latest', 'pypi', 'server'],
  ['git+https://example.com/a', 'pypi', undefined],
])('the package of %s (%s) is %s', (spec, registry, name) => {
  expect(packageNameOf(spec, registry)).toBe(name)
})
