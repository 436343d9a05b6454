/** The nth line that a process appends. Some lines exceed a page, so that a kill can tear them. */
export function toAppendedLine(name: string, turn: number): string {
  return JSON.stringify({ name, turn, text: 'x'.repeat(turn % 10 === 0 ? 9500 : turn % 90) })
}
