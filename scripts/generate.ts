/**
 * Writes the files that are made from the contracts. `--check` compares instead, and names what is stale.
 * Either way every built-in contract is linted first: no document is made from a broken one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { configSchema } from '../src/config-schema.ts'
import { contractSchema } from '../src/contract/contract-schema.ts'
import { pipelineErrors } from '../src/contract/error-codes.ts'
import { lintToolset } from '../src/contract/lint-contract.ts'
import { createCatalog } from '../src/pipeline/catalog.ts'
import { toErrorsMarkdown } from '../src/projections/errors-markdown.ts'
import { toToolsMarkdown } from '../src/projections/tools-markdown.ts'
import { toRestDocument } from '../src/surfaces/rest/rest-document.ts'
import { toolsets as loaders } from '../src/toolsets/index.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const toolsets = await Promise.all(Object.values(loaders).map((load) => load()))

for (const toolset of toolsets) {
  for (const { severity, pointer, rule, message, fix } of await lintToolset(toolset)) {
    console.error(`${severity}: ${toolset.name}${pointer} (${rule}): ${message} ${fix}`)
    if (severity === 'error') process.exitCode = 1
  }
}

const entries = await createCatalog(loaders).all()
const serverUrl = 'http://127.0.0.1:7420'

const files: { readonly [path: string]: string } = {
  'docs/errors.md': toErrorsMarkdown(pipelineErrors, toolsets),
  'docs/openapi.json': `${JSON.stringify(toRestDocument(entries, { version, serverUrl }), null, 2)}\n`,
  'docs/tools.md': toToolsMarkdown(toolsets),
  'schemas/config.schema.json': `${JSON.stringify(configSchema, null, 2)}\n`,
  'schemas/contract.schema.json': `${JSON.stringify(contractSchema, null, 2)}\n`,
}

for (const [path, text] of Object.entries(files)) {
  const file = new URL(`../${path}`, import.meta.url)
  if (process.argv.includes('--check')) {
    if (read(file) === text) continue
    console.error(`${path} is stale. Run: npm run generate`)
    process.exitCode = 1
  } else {
    writeFileSync(file, text)
  }
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
  } catch {
    return undefined
  }
}
