/** The version of this package. The file is two folders below package.json, in the sources and in the build. */
export function readVersion(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
