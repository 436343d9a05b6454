/**
 * What is left of a name when case, separators and differences that are easily overlooked are gone: names that fold to
 * one text cannot be told apart, by a person or by a model. `read-File` and `read_flle` are both `readflle`.
 */
export function foldName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[i1]/g, 'l')
    .replace(/0/g, 'o')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
}

/** The names that MCP allows, but none that a command would take for an option or a hidden file, or that changes an object. */
export const upstreamNameForm = /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/
