/** Keeps the first few of many items in order, in bounded memory. */
export class FirstSorted<Value> {
  readonly #max: number
  readonly #compare: (one: Value, other: Value) => number
  #kept: Value[] = []
  #last: Value | undefined

  constructor(max: number, compare: (one: Value, other: Value) => number) {
    this.#max = max
    this.#compare = compare
  }

  /** Whether an item would still be among the first. */
  wants(value: Value): boolean {
    return this.#last === undefined || this.#compare(value, this.#last) < 0
  }

  add(value: Value): void {
    this.#kept.push(value)
    if (this.#kept.length >= this.#max * 3 + 16) this.#shrink()
  }

  /** How many items it holds now. */
  get held(): number {
    return this.#kept.length
  }

  #shrink(): void {
    // Without a comparer, strings are also sorted by code units, and much faster.
    if (typeof this.#kept[0] === 'string') this.#kept.sort()
    else this.#kept.sort(this.#compare)
    this.#kept.length = Math.min(this.#kept.length, this.#max)
    if (this.#kept.length === this.#max) this.#last = this.#kept.at(-1)
  }

  toSorted(): Value[] {
    this.#shrink()
    return this.#kept
  }
}

export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
