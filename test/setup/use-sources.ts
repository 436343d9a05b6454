import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programs } from './programs.ts'

// Lets a program that imports the package run against the sources, which need no build: node --import ./test/setup/use-sources.ts
// In tests the sources are bundled already.
const { TOOLPACT_TEST_BUNDLE: bundled } = process.env

registerHooks({
  resolve(specifier, context, next) {
    const [, entry] = /^toolpact(?:\/(.+))?$/.exec(specifier) ?? []
    return next(specifier === 'toolpact' ? find('library') : entry === undefined ? specifier : find(entry), context)
  },
})

function find(program: string): string {
  if (bundled) return pathToFileURL(join(bundled, `${program}.js`)).href
  return new URL(`../../${programs[program as keyof typeof programs]}`, import.meta.url).href
}
