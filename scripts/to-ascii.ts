import { parseAst } from 'rolldown/parseAst'

/**
 * Escapes what is not ASCII. One such character makes V8 keep the whole file with two bytes per character, and Node's
 * compile cache encodes it again at every start. The text of tagged templates stays: escapes are not escapes there.
 */
export function toAscii(code: string): string {
  const tagged = findTagged(parseAst(code))
  return code.replace(/\\[\s\S]|[^\0-\x7f]/g, (found, at: number) => {
    const character = found.at(-1)!
    if (/[\0-\x7f\u2028\u2029]/.test(character) || tagged.some(({ start, end }) => at > start && at < end)) return found
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly quasi?: Node
}

function findTagged(node: object): Node[] {
  const { type, quasi } = node as Node
  const own = type === 'TaggedTemplateExpression' ? [quasi!] : []
  const children = Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string')
  return [...own, ...children.flatMap(findTagged)]
}
