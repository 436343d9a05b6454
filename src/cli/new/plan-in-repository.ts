import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { ContractSource } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { UsageError } from '../options/command.ts'
import type { PlannedFiles } from './to-code.ts'
import { toCode } from './to-code.ts'

/** The Toolpact repository that contains the folder, if any. */
export function findRepository(folder: string): string | undefined {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const file = join(place, 'package.json')
    if (existsSync(file)) {
      const isOurs = /"name"\s*:\s*"toolpact"/.test(readFileSync(file, 'utf8'))
      return isOurs && existsSync(join(place, 'src/toolsets/index.ts')) ? place : undefined
    }
    if (place === dirname(place)) return undefined
  }
}

/** A tool in a toolset of this repository: its file, its test beside it, and its lines in the toolset's index. */
export function planInRepository(root: string, toolset: string, source: ContractSource): PlannedFiles {
  const { name } = source
  const folder = findToolsetFolder(root, toolset)
  const file = name.replaceAll(/[._]+/g, '-').toLowerCase()
  const exported = file.replaceAll(/-+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll('-', '')
  const index = join(folder, 'index.ts')
  const shown = (path: string) => relative('.', path) || path
  const code = toCode(source as unknown as JsonValue, { language: 'typescript', indent: '  ', isSpread: true })
  return {
    id: `${toolset}.${name}`,
    created: [
      {
        path: shown(join(folder, `${file}.ts`)),
        text: toToolText(name, exported, code),
        about: 'contract and run: still to be written',
      },
      {
        path: shown(join(folder, `${file}.test.ts`)),
        text: toTestText(`${toolset}.${name}`),
        about: 'its test, which fails until then',
      },
    ],
    changed: [{ path: shown(index), text: addToIndex(index, exported, file), about: 'two lines more' }],
    next: [
      `Write run in ${shown(join(folder, `${file}.ts`))}, and tests of every case beside it.`,
      `npx vitest run ${shown(join(folder, `${file}.test.ts`))}`,
      'npm run generate',
      'npm run check && npm test',
    ],
  }
}

/** A toolset's folder may have another name. */
function findToolsetFolder(root: string, toolset: string): string {
  const text = readFileSync(join(root, 'src/toolsets/index.ts'), 'utf8')
  const found = [...text.matchAll(/^ *'?([\w-]+)'?: async \(\) => \(await import\('\.\/([\w-]+)\/index\.ts'\)\)/gm)]
  const folders = new Map(found.map(([, name, folder]) => [name!, folder!]))
  const folder = folders.get(toolset)
  if (folder === undefined)
    throw new UsageError(`There is no toolset '${toolset}' in src/toolsets/index.ts.`, `Use one of ${[...folders.keys()].join(', ')}.`) // biome-ignore format: one line
  return join(root, 'src/toolsets', folder)
}

/** Types as a tool sees them. */
const sources = '../..'

function toToolText(name: string, exported: string, contract: string): string {
  return `import { defineTool } from '${sources}/contract/define-tool.ts'

export const ${exported} = defineTool(
  ${contract},
  () => {
    throw new Error('${name} is not implemented yet.')
  },
)
`
}

function toTestText(id: string): string {
  return `import { expect, test } from 'vitest'
import { runExamples } from '${sources}/app/run-examples.ts'

test.each(await runExamples('${id}'))('$title', ({ problem }) => {
  expect(problem).toBeUndefined()
})
`
}

/** Adds a tool to a toolset's index: the import in order, the name at the end of the list. */
function addToIndex(path: string, exported: string, file: string): string {
  const text = readFileSync(path, 'utf8')
  const list = /(defineToolset\(\s*'[^']+',\s*\[)([^\]]*?)(,?\s*\])/.exec(text)
  const imports = [...text.matchAll(/^import .* from '(\.\/[^']+)'$/gm)]
  if (!list || imports.length === 0)
    throw new UsageError(`${path} has no list of tools that one could be added to.`, 'Add the tool there by hand.')
  const line = `import { ${exported} } from './${file}.ts'`
  const next = imports.find(([, from]) => from! > `./${file}.ts`)
  const last = imports.at(-1)!
  const place = next ? next.index : last.index + last[0].length
  const [, before, names, after] = list
  const separator = names!.includes('\n')
    ? `,\n${/\n(\s*)\S*$/.exec(names!)?.[1] ?? ''}`
    : names!.trim() === ''
      ? ''
      : ', '
  const end = list.index + before!.length + names!.length
  const withName = `${text.slice(0, end)}${separator}${exported}${after}${text.slice(end + after!.length)}`
  return `${withName.slice(0, place)}${next ? `${line}\n` : `\n${line}`}${withName.slice(place)}`
}
