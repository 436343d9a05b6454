import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Lets a program that imports the package run against the sources, which need no build: node --import ./test/setup/use-sources.ts
// Tests have them bundled already.
const { TOOLPACT_TEST_BUNDLE: bundled } = process.env
const library = bundled ? pathToFileURL(join(bundled, 'library.js')) : new URL('../../src/index.ts', import.meta.url)

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'toolpact' ? library.href : specifier, context),
})
