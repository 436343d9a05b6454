import { expect, test } from 'vitest'
import { packageOf } from './package-of.ts'

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
