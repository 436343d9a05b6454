import { parseAst } from 'rolldown/parseAst'

/** Where a function stands in a file, in UTF-16 code units, as V8's coverage reports it. */
export interface Place {
  readonly startOffset: number
  readonly endOffset: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly body?: readonly Node[]
  readonly id?: { readonly name: string; readonly end: number }
  readonly key?: Node & { readonly name?: string }
  readonly value?: Node
  readonly kind?: string
  readonly method?: boolean
  readonly computed?: boolean
  readonly async?: boolean
  readonly generator?: boolean
  readonly directive?: string
}

interface FunctionNode {
  readonly node: Node
  readonly parents: readonly Node[]
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: () => string
}

/**
 * Writes functions so that V8 compiles them together with their module: in parentheses, which V8 takes for a function that
 * is called at once. Only such functions are in Node's compile cache; all others are compiled anew by every process.
 * Declarations become variables at the start of their block, where the functions would exist, too. Class methods and
 * accessors have no form in parentheses and stay.
 */
export function compileAtOnce(code: string, places: readonly Place[]): string {
  const program = parseAst(code) as unknown as Node
  const functions = findFunctions(program)
  const found = new Set(places.map((place) => findAt(functions, place)).filter((each) => each !== undefined))
  const edits: Edit[] = []
  const declared = new Map<Node, FunctionNode[]>()

  function render(start: number, end: number, outer?: Edit): string {
    let text = ''
    let at = start
    for (const edit of edits) {
      if (edit === outer || edit.start < at || edit.end > end) continue
      text += code.slice(at, edit.start) + edit.text()
      at = edit.end
    }
    return text + code.slice(at, end)
  }

  /** Replaces the node, whose own text is rendered from `from` on. */
  function put(node: Node, before: string, from: number) {
    const edit: Edit = { start: node.start, end: node.end, text: () => `${before}${render(from, node.end, edit)})` }
    edits.push(edit)
  }

  for (const { node, parents } of found) {
    const [parent] = parents
    if (node.type === 'FunctionDeclaration') {
      if (parent!.type !== 'Program' && parent!.type !== 'BlockStatement') continue
      declared.set(parent!, [...(declared.get(parent!) ?? []), { node, parents }])
      edits.push({ start: node.start, end: node.end, text: () => '' })
    } else if (!isMethod(parent!)) put(node, '(', node.start)
    else if (canBeValue(parent!, code))
      put(parent!, `${code.slice(parent!.key!.start, parent!.key!.end)}: ${toHead(node)}`, node.start)
  }
  for (const [block, all] of declared) {
    const at = findStart(block)
    const word = block.type === 'Program' || /Function/.test(all[0]!.parents[1]!.type) ? 'var' : 'let'
    const text = () =>
      all.map(({ node }) => `\n${word} ${node.id!.name} = ${toHead(node)}${render(node.id!.end, node.end)});`).join('')
    edits.push({ start: at, end: at, text })
  }
  // Of edits at one place, the text at the start of a block comes first, then the outer function.
  const isText = ({ start, end }: Edit) => Number(start === end)
  edits.sort((a, b) => a.start - b.start || isText(b) - isText(a) || b.end - a.end)
  return render(0, code.length)
}

function toHead({ async, generator }: Node): string {
  return `(${async ? 'async ' : ''}function${generator ? '*' : ''}`
}

function isMethod({ type, method, kind }: Node): boolean {
  return type === 'MethodDefinition' || (type === 'Property' && (method === true || kind !== 'init'))
}

/** Whether a method can be written as `name: (function () { … })`. */
function canBeValue({ method, computed, key, value }: Node, code: string): boolean {
  return (
    method === true && !computed && key!.name !== '__proto__' && !/\bsuper\b/.test(code.slice(value!.start, value!.end))
  )
}

/** Where the statements of a block begin, behind its imports and directives. */
function findStart({ type, start, body }: Node): number {
  const before = body!.findLast((node) => node.type === 'ImportDeclaration' || node.directive !== undefined)
  return before?.end ?? (type === 'Program' ? start : start + 1)
}

function findFunctions(program: Node): Map<number, FunctionNode[]> {
  const byEnd = new Map<number, FunctionNode[]>()
  visit(program, [])
  return byEnd

  function visit(node: Node, parents: readonly Node[]): void {
    if (/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      byEnd.set(node.end, [...(byEnd.get(node.end) ?? []), { node, parents: parents.slice(0, 2) }])
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === 'string' && typeof child.start === 'number') visit(child, [node, ...parents])
  }
}

/** For V8, a method begins at its name; every function ends with its body. */
function findAt(functions: Map<number, FunctionNode[]>, { startOffset, endOffset }: Place): FunctionNode | undefined {
  const toBegin = ({ node, parents: [parent] }: FunctionNode) => (isMethod(parent!) ? parent! : node).start
  const around = (functions.get(endOffset) ?? []).filter((each) => toBegin(each) <= startOffset)
  return around.sort((a, b) => toBegin(b) - toBegin(a))[0]
}
