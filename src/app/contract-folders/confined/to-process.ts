import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerCommand } from '../../../host/connect/confinement.ts'
import { toCommand } from '../../../host/connect/stdio/start-process.ts'

/** Messages use descriptors of their own, so that a handler may print. */
const apart = 'exec "$@" 6<&0 7>&1 </dev/null 1>&2'

/** The process that runs the handlers of a folder, and what it must read: its modules, and what they may import. */
export function toProcess({
  folder,
  env,
}: {
  readonly folder: string
  readonly env: { readonly [name: string]: string }
}): ServerCommand {
  // biome-ignore format: one line
  const isSource = import.meta.url.endsWith('.ts')
  const runner = fileURLToPath(
    new URL(isSource ? './run-handlers.ts' : '../processes/run-handlers.js', import.meta.url),
  )
  const args = ['-c', apart, 'sh', process.execPath, runner]
  return { ...toCommand({ kind: 'stdio', command: '/bin/sh', args, env, cwd: folder }), code: findCode(folder, runner) }
}

function findCode(folder: string, runner: string): string[] {
  const own = listAround(runner).find((path) => existsSync(join(path, 'package.json')))!
  // Where Node looks for packages, and for the kind of a module.
  const around = [...listAround(join(folder, 'x')), ...listAround(own)].flatMap((path) => [join(path, 'node_modules'), join(path, 'package.json')]) // biome-ignore format: one line
  return [...new Set([folder, own, ...around.filter(existsSync)])]
}

/** The folders around a file, innermost first. */
function listAround(path: string): string[] {
  const folder = dirname(path)
  return folder === dirname(folder) ? [folder] : [folder, ...listAround(folder)]
}
