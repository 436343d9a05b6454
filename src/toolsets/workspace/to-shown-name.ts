import { escapeHidden, findHidden, toJsonEscape } from '../../contract/text/hidden-characters.ts'

/**
 * A name or path as it is put in the text of a result. One that could be taken for something else there, such as two
 * lines or a link, becomes a JSON string, which gives the exact name.
 */
export function toShownName(name: string): string {
  if (!misleading.test(name) && findHidden(name, 'exact') === undefined) return name
  return escapeHidden(JSON.stringify(name), 'exact', toJsonEscape)
}

const misleading = /^[\s"]|\s$| -> |:\d+:| \(special\)$/u
