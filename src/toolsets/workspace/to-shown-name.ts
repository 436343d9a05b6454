import { escapeHidden, findHidden, toJsonEscape } from '../../contract/text/hidden-characters.ts'

/**
 * A name or path for the text of a result. A name that could be misread there, such as one with a line break or an
 * arrow, becomes a JSON string.
 */
export function toShownName(name: string): string {
  if (!misleading.test(name) && findHidden(name, 'exact') === undefined) return name
  return escapeHidden(JSON.stringify(name), 'exact', toJsonEscape)
}

const misleading = /^[\s"]|\s$| -> |:\d+:| \(special\)$/u
