/** The name of a tool: `read_file`, `search.web`. */
export const toolNameForm = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

/** The name of anything that can be called: a tool, or a prompt or resource with its prefix. */
export const callableNameForm =
  /^(?:(?:prompt|resource):[A-Za-z][A-Za-z0-9_.-]{0,63}(?::(?:list|complete))?|[A-Za-z][A-Za-z0-9_.-]{0,63})$/

/** The name of a toolset has no dot, so that the id `toolset.tool` splits at the first one. */
export const toolsetNameForm = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** An error code, in snake_case: `file_not_found`. */
export const errorCodeForm = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** A semantic version: `1.0.0`, `2.1.0-beta.1`. */
export const versionForm =
  /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/

/** A transport or an endpoint: one line of visible text without leading or trailing spaces. */
export const placePattern = String.raw`^[^\s\p{C}](?:[^\p{C}\p{Zl}\p{Zp}]{0,198}[^\s\p{C}])?$`
