import { expect, test } from 'vitest'
import { findLauncher } from './install-watch.ts'

test.each([
  ['npx', ['-y', 'a-server'], 'npx'],
  ['/usr/local/bin/npx', ['a-server'], 'npx'],
  ['npx.cmd', ['a-server'], 'npx'],
  ['cmd', ['/c', 'npx', '-y', 'a-server'], 'npx'],
  ['npm', ['exec', 'a-server'], 'npm exec'],
  ['pnpm', ['dlx', 'a-server'], 'pnpm dlx'],
  ['bunx', ['a-server'], 'bunx'],
  ['uvx', ['a-server'], 'uvx'],
  ['uv', ['tool', 'run', 'a-server'], 'uv tool run'],
  ['docker', ['run', '-i', '--rm', 'an-image'], 'docker run'],
])('%s %j is a launcher', (command, args, label) => {
  expect(findLauncher(command, args)?.label).toBe(label)
})

test.each([
  ['node', ['npx']],
  ['npm', ['start']],
  ['docker', ['exec', '-i', 'a-container']],
  ['uv', ['pip']],
  ['my-npx', []],
])('%s %j is not one', (command, args) => {
  expect(findLauncher(command, args)).toBeUndefined()
})
