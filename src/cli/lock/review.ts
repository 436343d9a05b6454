import { reveal } from '../../runtime/approval/text/reveal.ts'
import { type Row, toRows, toTextRows } from '../../runtime/approval/text/rows.ts'
import { wrap } from '../../runtime/approval/text/wrap.ts'
import { toChangeLines } from '../terminal/change-lines.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { type ServerReview, type ToolReview, toDriftLines, toPolicy } from './report.ts'

/** Everything that would be accepted: all changes and full definitions. */
export function toAcceptRows(
  server: ServerReview,
  tools: readonly ToolReview[],
  digest: string,
  columns: number,
): Row[] {
  const width = columns - 1
  const lines = (lines: readonly Line[]) => lines.flatMap((line) => wrap(toParts(line), width))
  return [
    [paint('bold', 'Server: '), server.name],
    ...(server.state === 'left' ? [['It is no longer in the config and would be removed from the lock.']] : []),
    ...server.identity.flatMap((change) => lines(toChangeLines(change))),
    ...tools.flatMap((tool) => [
      ...toRows(paint('bold', `${headings[tool.state]}: `), reveal(tool.name, 8).parts, { width, indent: 4 }),
      ...(tool.policy ? [[`  ${toPolicy(tool.policy)}`]] : []),
      ...lines(toDriftLines(tool)),
      ...tool.changes.flatMap((change) => lines(toChangeLines(change))),
      ...tool.flags.flatMap((flag) =>
        toRows(paint('yellow', '  flagged '), reveal(flag, 8).parts, { width, indent: 4 }),
      ),
      ...(tool.definition
        ? [['  The definition:'], ...toTextRows(JSON.stringify(tool.definition, null, 2), width)]
        : []),
    ]),
    [paint('bold', 'Digest: '), digest],
  ]
}

const headings: { readonly [state in ToolReview['state']]: string } = {
  same: 'Tool',
  kept: 'Changed tool',
  differs: 'Changed tool',
  new: 'New tool',
  gone: 'Removed tool, which would be removed from the lock',
  refused: 'Tool',
}

function toParts(line: Line) {
  return typeof line === 'string' || 'style' in line ? [line] : line
}
