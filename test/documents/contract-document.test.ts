import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { contractSchema } from '../../src/contract/contract-schema.ts'
import { lintToolset } from '../../src/contract/lint-contract.ts'
import { texts } from '../data/contract-example.ts'

const document = read('../../docs/contract.md')

test('docs/contract.md shows the tool that is tested here', () => {
  const code = read('../data/contract-example.ts').replace("'../../src/index.ts'", "'toolpact'")
  expect(document).toContain(`\`\`\`ts\n${code}\`\`\``)
})

test('its contract has no fault, and every one of its examples is true', async () => {
  expect(await lintToolset(texts)).toEqual([])
  const toolpact = await openToolpact({ toolsets: [texts], storage: 'memory' })
  try {
    for (const { input, output, error } of texts.tools[0]!.contract.examples) {
      const expected = error ? { success: false, error: { code: error } } : { success: true, output }
      expect(await toolpact.call('texts.measure_text', input)).toMatchObject(expected)
    }
  } finally {
    await toolpact.close()
  }
})

test('docs/contract.md explains every field of a contract', () => {
  const fields = Object.keys(contractSchema.properties!).filter((field) => field !== '$schema')
  expect(fields.filter((field) => !document.includes(`| \`${field}\` |`))).toEqual([])
})

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll('\r\n', '\n')
}
