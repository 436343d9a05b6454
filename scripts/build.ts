/**
 * Builds dist/: entry points and processes, bundled with their libraries because opening files dominates startup time; the
 * licenses of the libraries; one declaration file per entry point; and the console for browsers.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { bundleConsole } from './bundle-console.ts'
import { bundleTypes } from './bundle-types.ts'
import { entryPoints, processes } from './entry-points.ts'
import { toLicenses } from './licenses.ts'
import { prepareStarts } from './prepare-starts.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })

const modules = await bundle('dist', { ...entryPoints, ...processes })
chmodSync('dist/cli/toolpact.js', 0o755)
await prepareStarts('dist')
const inBrowser = await bundleConsole('dist/console')
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', toLicenses([...modules, ...inBrowser]))
await bundleTypes('dist', entryPoints)
