import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { bundleTypes } from './bundle-types.ts'
import { entryPoints } from './entry-points.ts'

/** An exported name of the package. */
export interface ApiEntry {
  readonly name: string
  /** The declaration, as importers see it. */
  readonly code: string
  /** Its doc comment; empty if it has none. */
  readonly doc: string
  readonly isType: boolean
}

/** The exports of each entry point by specifier: `toolpact`, `toolpact/ai-sdk`, … */
export async function readApi(): Promise<Map<string, ApiEntry[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-api-'))
  try {
    await bundleTypes(folder, entryPoints)
    return readApiOf(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same, from the declarations of a build. */
export function readApiOf(folder: string): Map<string, ApiEntry[]> {
  return new Map(
    Object.keys(entryPoints).map((name) => [
      name === 'index' ? 'toolpact' : `toolpact/${name}`,
      readEntries(readFileSync(join(folder, `${name}.d.ts`), 'utf8')),
    ]),
  )
}

/** The page `docs/api.md`. */
export function toApiPage(api: ReadonlyMap<string, readonly ApiEntry[]>): string {
  const sections = [...api].map(([specifier, entries]) => {
    const [values, types] = [entries.filter(({ isType }) => !isType), entries.filter(({ isType }) => isType)]
    return [
      `## \`${specifier}\`\n`,
      `${[...values, ...types].map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(', ')}\n`,
      ...[...values, ...types].map(toSection),
    ].join('\n')
  })
  return `${intro}\n${sections.join('\n')}`
}

const intro = `# API reference

Every name that the package exports, with its declaration: functions and classes first, then types. Written from the declarations by \`npm run generate\`.
The pages about [contracts](contract.md), [projections](projections.md), [approval](approval.md) and [queries](serving.md#one-call-per-query) show how to use them.
`

function toSection({ name, code, doc }: ApiEntry): string {
  const [text = '', ...examples] = doc.split(/^@example\b *\n?/m)
  const shown = examples.map((example) => `\n${toBlock(example.trim())}`)
  return `### ${name}\n\n${text.trim()}\n\n${toBlock(code)}${shown.join('')}`
}

/** Not \`ts\`: a test compiles those blocks as complete programs. */
function toBlock(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\`\n`
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly declaration?: Node | null
  readonly id?: { readonly name: string }
  readonly declarations?: readonly { readonly id: { readonly name: string } }[]
  readonly specifiers?: readonly {
    readonly local: { readonly name: string }
    readonly exported: { readonly name: string }
  }[]
}

/** The exports of a rolled-up declaration file, which declares everything itself. */
function readEntries(text: string): ApiEntry[] {
  const { body } = parseAst(text, { lang: 'dts' }) as unknown as { readonly body: readonly Node[] }
  const exported = new Map<string, string>()
  const found = new Map<string, Omit<ApiEntry, 'name'>>()
  let end = 0
  for (const node of body) {
    const declaration = node.declaration ?? node
    const name = declaration.id?.name ?? declaration.declarations?.[0]?.id.name
    for (const { local, exported: as } of node.specifiers ?? []) exported.set(local.name, as.name)
    if (name !== undefined) {
      if (node.declaration) exported.set(name, name)
      const code = text
        .slice(declaration.start, declaration.end)
        .replace(/^declare /, '')
        .replaceAll(/\$\d+\b/g, '')
      const isType = /^TS(?:Interface|TypeAlias)/.test(declaration.type)
      found.set(name, { code, doc: toDoc(text.slice(end, node.start)), isType })
    }
    end = node.end
  }
  return [...exported]
    .map(([local, name]) => ({ name, ...(found.get(local) ?? { code: '', doc: '', isType: true }) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The text of the last doc comment before a declaration. */
function toDoc(between: string): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(between)?.[1] ?? ''
  return comment.replaceAll(/^[ \t]*\* ?/gm, '').trim()
}
