/** Writes the generated tables of docs/cli.md, docs/config.md and docs/telemetry.md; with --check, fails if one is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { toReferencePages } from './reference-pages.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
for (const [path, page] of Object.entries(await toReferencePages())) {
  const file = new URL(`../${path}`, import.meta.url)
  if (!values.check) writeFileSync(file, page)
  else if (readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== page) {
    console.error(`${path} is out of date. Run npm run generate.`)
    process.exitCode = 1
  }
}
