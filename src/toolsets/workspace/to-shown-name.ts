/**
 * A name or path as it stands in the text of a result. One that could be taken for something else there, such as two
 * lines or a link, becomes a JSON string, from which the exact name can be had.
 */
export function toShownName(name: string): string {
  return misleading.test(name) ? JSON.stringify(name).replace(unprintable, toEscape) : name
}

const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^[\s"]|\s$| -> |:\d+:| \(special\)$/u
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => toUnit(character.charCodeAt(index))).join('')
}

function toUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
