import { registerHooks } from 'node:module'

// Lets a program that imports the package run against the sources, which need no build: node --import ./test/use-sources.ts
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'toolpact' ? new URL('../src/index.ts', import.meta.url).href : specifier, context),
})
