/**
 * Builds dist/: entry points and processes, bundled with their libraries because opening files dominates startup time; the
 * licenses of the libraries; and one declaration file per entry point.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { bundleTypes } from './bundle-types.ts'
import { entryPoints, processes } from './entry-points.ts'
import { toLicenses } from './licenses.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })

const modules = await bundle('dist', { ...entryPoints, ...processes })
chmodSync('dist/cli/toolpact.js', 0o755)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', toLicenses(modules))
await bundleTypes('dist', entryPoints)
