import { fromPointer } from '../../contract/schema/json-pointer.ts'

/** Line and column, both from 1, of the value at a pointer; of the nearest one around it if there is none. */
export async function findPosition(
  text: string,
  pointer: string,
): Promise<{ readonly line: number; readonly column: number } | undefined> {
  const { isMap, isSeq, isScalar, parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  try {
    let node: unknown = parseDocument(text, { lineCounter: lines, uniqueKeys: false }).contents
    let offset = startOf(node)
    for (const segment of fromPointer(pointer) ?? []) {
      if (isSeq(node)) node = node.items[Number(segment)]
      else if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment)
        if (!pair) break
        offset = startOf(pair.key) ?? offset
        node = pair.value
        continue
      } else break
      offset = startOf(node) ?? offset
    }
    if (offset === undefined) return undefined
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  } catch {
    return undefined
  }
}

function startOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0]
}
