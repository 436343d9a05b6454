/** `1 byte`, `125 bytes`; `toCount(3, 'match', 'matches')` is `3 matches`. */
export function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
