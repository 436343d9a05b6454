/** The version of this package. It stands two folders below its package.json, in the sources and when it is built. */
export function readVersion(): string {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
