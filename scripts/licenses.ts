import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Licenses missing from published packages or from code they include: `PACKAGE/PROJECT.txt`. */
const missingTexts = fileURLToPath(new URL('licenses', import.meta.url))

/** The licenses of all packages of these modules as one text. Throws if a package has none. */
export function toLicenses(modules: readonly string[]): string {
  return toPackageFolders(modules)
    .flatMap((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const own = findLicenses(folder)
      const added = findTexts(join(missingTexts, name))
      if (!own.some((path) => dirname(path) === '.') && added.length === 0)
        throw new Error(
          `${name} has no license file, so it cannot be bundled without scripts/licenses/${name}/${name}.txt`,
        )
      return [
        ...own.map((path) => toSection(`${name} ${version}`, dirname(path), join(folder, path))),
        ...added.map((path) => toSection(`${name} ${version}`, parse(path).name === name ? '.' : parse(path).name, join(missingTexts, name, path))), // biome-ignore format: one line
      ]
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

export function toPackageFolders(modules: readonly string[]): string[] {
  const folders = modules.map((id) => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort()
}

/** The package's license and those of included code. */
function findLicenses(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^licen[cs]e(?:[-.][-.\w]*)?(?<!js|ts|json)$/i.test(parse(path).base))
    .filter((path) => !path.includes('node_modules'))
    .sort()
}

function findTexts(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

function toSection(title: string, part: string, file: string): string {
  return `${part === '.' ? title : `${title}: ${part}`}\n\n${readFileSync(file, 'utf8').trim()}\n`
}
