/** A URI template of RFC 6570 with `{name}`, and `{+name}` for values that may contain `/`. */
export interface UriTemplate {
  readonly variables: readonly string[]
  expand(values: { readonly [name: string]: string }): string
  /** The values of the variables; undefined if the URI does not match. */
  match(uri: string): { [name: string]: string } | undefined
}

/** A literal text, followed by a variable except at the end. */
interface Part {
  readonly literal: string
  readonly variable?: string
  /** `{+name}`. */
  readonly isPath?: boolean
}

const form = /\{([^{}]*)\}/g
const variableForm = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/

/** Throws an error that says what is wrong with the template. */
export function parseUriTemplate(template: string): UriTemplate {
  const parts = toParts(template)
  const variables = parts.flatMap(({ variable }) => variable ?? [])
  if (new Set(variables).size < variables.length) throw new Error('a variable occurs twice')
  if (parts.slice(1, -1).some(({ literal }) => literal === ''))
    throw new Error('no text separates two of its variables')
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(parts[0]!.literal))
    throw new Error('it does not begin with a scheme, such as notes:')
  return {
    variables,
    expand: (values) =>
      parts
        .map(
          ({ literal, variable, isPath }) =>
            literal + (variable === undefined ? '' : encode(values[variable]!, isPath)),
        )
        .join(''),
    match: (uri) => match(parts, uri),
  }
}

function toParts(template: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const found of template.matchAll(form)) {
    const [, plus, variable] = variableForm.exec(found[1]!) ?? []
    if (variable === undefined) throw new Error(`${found[0]} is not supported: write {name}, or {+name} for a path`)
    parts.push({ literal: template.slice(end, found.index), variable, isPath: plus === '+' })
    end = found.index + found[0].length
  }
  const literal = template.slice(end)
  if (/[{}]/.test(literal)) throw new Error('a brace has no counterpart')
  return [...parts, { literal }]
}

const encode = (value: string, isPath = false) =>
  isPath ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)

/** Linear: a value ends at the first occurrence of the text that follows it. */
function match(parts: readonly Part[], uri: string): { [name: string]: string } | undefined {
  const values: { [name: string]: string } = {}
  let at = 0
  for (const [index, { literal, variable, isPath }] of parts.entries()) {
    if (!uri.startsWith(literal, at)) return undefined
    at += literal.length
    if (variable === undefined) continue
    const next = parts[index + 1]!
    const isLast = next.variable === undefined
    const end = isLast ? uri.length - next.literal.length : uri.indexOf(next.literal, at)
    const value = end > at ? decode(uri.slice(at, end), isPath) : undefined
    if (value === undefined) return undefined
    values[variable] = value
    at = end
  }
  return at === uri.length ? values : undefined
}

function decode(text: string, isPath = false): string | undefined {
  if (!isPath && /[/?#]/.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
