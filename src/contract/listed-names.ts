import { hash } from 'node:crypto'

/** Clients prepend up to 19 characters to the name of a tool, and model providers accept 64. */
const maxCharacters = 45

/** The number of digest digits that make a name unique. If two names still collide, both get more digits. */
const suffixDigits = [10, 20, 30] as const

/** A name with this suffix always carries the digest of its own id, so that it cannot collide with another tool's. */
const suffixForm = /_(?:[0-9a-f]{10}|[0-9a-f]{20}|[0-9a-f]{30})$/

/**
 * The names under which clients and models see the tools of a toolset: `create_file` where it is the only toolset,
 * otherwise `workspace_create_file`. Every name matches `^[A-Za-z0-9_-]{1,45}$`.
 *
 * A name that is too long or ambiguous ends with digits of a digest of the tool's id. It depends on the names of the
 * toolsets and the tools of this toolset, but not on their order, so that a toolset can be named on its own.
 * @param toolsets The names of all toolsets that are served together, including this one.
 */
export function toListedNames(
  toolset: string,
  tools: readonly string[],
  toolsets: readonly string[],
): ReadonlyMap<string, string> {
  const rivals = toolsets.length > 1 ? findRivals(toolset, toolsets) : []
  const plain = new Map(tools.map((tool) => [tool, toPlainName(toolset, tool, toolsets.length === 1)]))
  const claims = Map.groupBy(plain.values(), toComparable)
  const isOwn = (name: string) =>
    name.length <= maxCharacters &&
    !isSuffixed(name) &&
    claims.get(toComparable(name))!.length === 1 &&
    !rivals.some((prefix) => toComparable(name).startsWith(prefix))
  const names = new Map<string, string>()
  let rest = tools.filter((tool) => {
    if (isOwn(plain.get(tool)!)) names.set(tool, plain.get(tool)!)
    return !names.has(tool)
  })
  for (const digits of suffixDigits) {
    const suffixed = Map.groupBy(rest, (tool) => toSuffixedName(plain.get(tool)!, `${toolset}.${tool}`, digits))
    for (const [name, [tool, ...others]] of suffixed) if (others.length === 0) names.set(tool!, name)
    rest = rest.filter((tool) => !names.has(tool))
  }
  return names
}

/** Aliases that always resolve to a tool, so that a name which a client remembers survives changes to other names. */
export function toAliases(toolset: string, tool: string): readonly string[] {
  const id = `${toolset}.${tool}`
  const [qualified, bare] = [toPlainName(toolset, tool, false), toPlainName(toolset, tool, true)]
  return [...new Set([qualified, toSuffixedName(qualified, id), toSuffixedName(bare, id)])]
}

/** Whether a name ends with digits of a digest. */
export function isSuffixed(name: string): boolean {
  return suffixForm.test(name)
}

/** The name of a tool with only the characters that model providers accept: `search.web` is `search_web`. */
export function toSafeName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_')
}

/** Whether a tool of this toolset can have this listed name or alias, judged by the name alone. */
export function mayBelongTo(toolset: string, name: string): boolean {
  const prefix = `${toolset}_`
  return name.startsWith(prefix) || (isSuffixed(name) && prefix.startsWith(name.replace(suffixForm, '')))
}

function toPlainName(toolset: string, tool: string, isBare: boolean): string {
  const safe = toSafeName(tool)
  // Gemini requires a letter or _ as the first character.
  return isBare && /^[A-Za-z_]/.test(safe) ? safe : `${toolset}_${safe}`
}

function toSuffixedName(name: string, id: string, digits: number = suffixDigits[0]): string {
  return `${name.slice(0, maxCharacters - digits - 1)}_${hash('sha256', id).slice(0, digits)}`
}

/** Some clients replace - with _. */
function toComparable(name: string): string {
  return name.replaceAll('-', '_')
}

/** Prefixes that belong to other toolsets: beside `a_b`, the tool `b_c` of `a` must not be listed as `a_b_c`. */
function findRivals(toolset: string, toolsets: readonly string[]): string[] {
  const own = `${toComparable(toolset)}_`
  return toolsets
    .filter((other) => other !== toolset)
    .map((other) => `${toComparable(other)}_`)
    .filter((prefix) => prefix.startsWith(own))
}
