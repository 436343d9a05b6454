/** What a process appends in its so-manieth turn. Now and then it is larger than a page, of which a kill can tear a part. */
export function toAppendedLine(name: string, turn: number): string {
  return JSON.stringify({ name, turn, text: 'x'.repeat(turn % 10 === 0 ? 9500 : turn % 90) })
}
