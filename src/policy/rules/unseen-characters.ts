import type { JsonValue } from '../../contract/json.ts'

/** Control, format, private and ignorable characters: what moves, turns around or hides text, or means nothing. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

/** Text without any of them, and much faster to see. */
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/

/** Line breaks and tabs, which belong to text; a carriage return only where a line feed follows it. */
const layout = /[\t\n]|\r\n/g

/** Finds a character that a person would not see, in a value or its keys. `isText` lets line breaks and tabs pass. */
export function findUnseen(value: JsonValue, isText: boolean): string | undefined {
  if (typeof value === 'string') return findInText(value, isText)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return findFirst(value, (item) => findUnseen(item, isText))
  return findFirst(Object.entries(value), ([key, item]) => findInText(key, false) ?? findUnseen(item, isText))
}

function findInText(text: string, isText: boolean): string | undefined {
  if (plain.test(text)) return undefined
  const found = unseen.exec(isText ? text.replace(layout, '') : text)?.[0]
  return found && `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

function findFirst<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
