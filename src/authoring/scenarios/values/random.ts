/** A seeded pseudo-random generator. */
export interface Random {
  /** From 0 to `count`, exclusive. */
  below(count: number): number
  pick<T>(choices: readonly T[]): T
  /** True with this probability. */
  chance(share: number): boolean
}

export function createRandom(seed: string): Random {
  let state = toNumber(seed)

  /** From 0 to 1, exclusive: a counter with mixed bits. */
  function next(): number {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }

  const below = (count: number) => Math.floor(next() * count)
  return { below, pick: (choices) => choices[below(choices.length)]!, chance: (share) => next() < share }
}

function toNumber(seed: string): number {
  let number = 0x811c9dc5
  for (const character of seed) number = Math.imul(number ^ character.codePointAt(0)!, 0x01000193)
  return number
}
