/**
 * Removes case, separators and look-alike characters. Names that fold to the same text are indistinguishable to a person or
 * a model: `read-File` and `read_flle` both fold to `readflle`.
 */
export function foldName(name: string): string {
  return (
    name
      .toLowerCase()
      // A colon distinguishes prompts and resources from tools.
      .replace(/[^a-z0-9:]/g, '')
      .replace(/[i1]/g, 'l')
      .replace(/0/g, 'o')
      .replace(/rn/g, 'm')
      .replace(/vv/g, 'w')
  )
}

/** The names that MCP allows, except those that look like an option or a hidden file, and `__proto__`. */
export const upstreamNameForm = /^(?!__proto__$)(?:prompt:|resource:|instructions:)?[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/
