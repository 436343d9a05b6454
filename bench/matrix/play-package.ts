import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { define } from '../../test/upstream-servers/definitions.ts'
import { isAnswered, type Seen, toWords } from './row.ts'
import { end, type Stage } from './stage.ts'

/** Installs a package, lets the gateway pin it, then republishes other content under the same version. */
export async function playPackage({ gateway, folder, makeFolder, makeChangeling, serve }: Stage): Promise<Seen> {
  const home = makeFolder('installed')
  const { args } = makeChangeling([define('echo')]).entry
  const [program = '', file = ''] = args ?? []
  const install = (content: string) => {
    const at = join(home, 'node_modules', 'matrix-notes')
    mkdirSync(at, { recursive: true })
    const bin = { 'matrix-notes': 'index.mjs' }
    const about = { name: 'matrix-notes', version: '1.0.0', bin }
    writeFileSync(join(at, 'package.json'), JSON.stringify(about))
    writeFileSync(
      join(at, 'index.mjs'),
      `#!/usr/bin/env node\n// ${content}\n${stripTypeScriptTypes(readFileSync(program, 'utf8'))}`,
      { mode: 0o755 },
    )
    const integrity = `sha512-${Buffer.from(content.repeat(8)).toString('base64')}`
    const packages = { 'node_modules/matrix-notes': { version: '1.0.0', integrity, bin } }
    writeFileSync(join(home, 'node_modules', '.package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  }
  install('reviewed')
  mkdirSync(join(home, 'node_modules', '.bin'))
  symlinkSync('../matrix-notes/index.mjs', join(home, 'node_modules', '.bin', 'matrix-notes'))
  // npx matters only to gateways that pin; the others would not notice the difference.
  const started = gateway.pin
    ? { command: 'npx', args: ['-y', 'matrix-notes@1.0.0', file], cwd: home }
    : { command: process.execPath, args: [join(home, 'node_modules/matrix-notes/index.mjs'), file] }
  const servers = { one: { ...started, approval: 'never' as const }, two: makeChangeling([define('other')]).entry }
  const first = await serve(servers, { tools: 2 })
  if (!isAnswered(await first.call(['one', 'echo']))) throw new Error('The package does not run.')
  gateway.pin?.(folder)
  await end(first.child)
  install('tampered')
  const second = await serve(servers)
  const answer = await second.call(['one', 'echo'])
  return { pass: !isAnswered(answer), saw: isAnswered(answer) ? 'served' : toWords(answer) }
}
