import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/** One mutation of a source file that a test should detect. */
export interface Mutant {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly line: number
  /** The original line. */
  readonly text: string
  /** The mutation, such as `< to <=`. */
  readonly change: string
  /** The mutated file. */
  readonly source: string
}

const flips: { readonly [operator: string]: string } = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/** Every flipped comparison, connective and negation of a TypeScript file. */
export function toMutants(root: string, file: string): Mutant[] {
  const source = readFileSync(new URL(file, `file://${root}/`), 'utf8')
  const mutants: Mutant[] = []

  function add(start: number, end: number, [from, to]: readonly [string, string]) {
    const line = source.slice(0, start).split('\n').length
    const text = source.split('\n')[line - 1]!.trim()
    const mutated = source.slice(0, start) + to + source.slice(end)
    mutants.push({ file, line, text, change: to === '' ? `without ${from}` : `${from} to ${to}`, source: mutated })
  }

  visit(parseAst(source, { lang: 'ts', astType: 'ts' }) as unknown as Node, (node) => {
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const to = flips[node.operator!]
      if (to === undefined) return
      const between = source.slice(node.left!.end, node.right!.start)
      const at = node.left!.end + between.indexOf(node.operator!)
      add(at, at + node.operator!.length, [node.operator!, to])
    } else if (node.type === 'UnaryExpression' && node.operator === '!') add(node.start, node.start + 1, ['!', ''])
  })
  return mutants
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly operator?: string
  readonly left?: Node
  readonly right?: Node
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string' && typeof child.start === 'number') visit(child, see)
}
