import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pipelineErrors } from '../../src/contract/error-codes.ts'
import { httpErrors } from '../../src/surfaces/http/http-errors.ts'
import { toolsets } from '../../src/toolsets/index.ts'

const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

test('every code of the pipeline is in docs/errors.md, with its status', () => {
  const [, pipeline] = document.split(/^## .*$/m)
  for (const [code, { status }] of Object.entries(pipelineErrors))
    expect(pipeline).toContain(`| \`${code}\` | ${status} |`)
})

test('every code of the HTTP layer is in docs/errors.md, with its status', () => {
  const [, , http] = document.split(/^## .*$/m)
  for (const [code, { status }] of Object.entries(httpErrors)) expect(http).toContain(`| \`${code}\` | ${status} |`)
})

test('every tool is in docs/errors.md, with every code that its contract declares', async () => {
  for (const load of Object.values(toolsets)) {
    const { name, tools } = await load()
    for (const { contract } of tools.filter(({ offer }) => !offer)) {
      const id = `${name}.${contract.name}`
      const section = document.split(/^### /m).find((text) => text.startsWith(`${id}\n`))
      if (contract.errors.length === 0) expect(document).toContain(`\`${id}\``)
      for (const { code, status } of contract.errors) expect(section, id).toContain(`| \`${code}\` | ${status} |`)
    }
  }
})
