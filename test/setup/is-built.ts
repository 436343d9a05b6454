import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Whether dist/ is up to date with the sources. `npm install` builds it. */
export function isBuilt(): boolean {
  const timeOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const built = Math.min(timeOf('dist/index.d.ts'), timeOf('dist/cli/toolpact.js'))
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'src', 'scripts']
  // The time of a folder changes when files are added or removed.
  const sources = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  return [...files, ...sources].every((path) => timeOf(path) < built)
}
