/** What a reader of a page does, in order. */
export type Step =
  | { readonly kind: 'write'; readonly line: number; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly line: number; readonly text: string }
  | Typed

/** A block of commands, and the block of output that follows it. */
export interface Typed {
  readonly kind: 'type'
  readonly line: number
  readonly text: string
  /** The terminal it is typed in, if not the main one. It is not waited for. */
  readonly terminal?: string
  /** What is answered, and after which text on the screen. */
  readonly answers: readonly { readonly at: string; readonly keys: string }[]
  /** Where the shown output is in the page. Undefined: the page shows none. */
  readonly shown?: { readonly start: number; readonly end: number; readonly text: string }
}

/**
 * The steps of a page: `sh` blocks, each with the `text` block that follows it, and blocks with a file name behind the
 * language. Comments before a block change how it is run:
 *
 *   <!-- not run: REASON -->         the block is left out
 *   <!-- terminal: NAME -->          in a terminal of its own, which keeps running
 *   <!-- at "TEXT" type KEYS -->     answers a question
 *   <!-- run: COMMAND -->            runs something that the reader does elsewhere, such as in a client
 */
export function readSteps(page: string): { steps: Step[]; problems: string[] } {
  const steps: Step[] = []
  const problems: string[] = []
  let marks: string[] = []
  for (const match of page.matchAll(/^<!-- (.*?) -->$|^```(.*)\n([\s\S]*?)^```$/gm)) {
    const [, mark, info = '', text = ''] = match
    const line = page.slice(0, match.index).split('\n').length
    const [language, path] = info.split(' ')
    const last = steps.at(-1)
    if (mark?.startsWith('run: ')) steps.push({ kind: 'run', line, text: mark.slice('run: '.length) })
    else if (mark !== undefined) {
      if (isKnown(mark)) marks.push(mark)
      else if (/^(?:not run|run|terminal|at)\b/.test(mark)) problems.push(`line ${line}: unknown comment “${mark}”`)
    } else {
      const isLeftOut = marks.some(isNotRun)
      if (language === 'text' && !isLeftOut) {
        const start = match.index + '```text\n'.length
        if (last?.kind !== 'type' || last.shown) problems.push(`line ${line}: this output has no command before it`)
        else steps.splice(-1, 1, { ...last, shown: { start, end: start + text.length, text } })
      } else if (language === 'sh' && !isLeftOut) steps.push({ kind: 'type', line, text, ...readMarks(marks) })
      else if (path !== undefined && !isLeftOut) steps.push({ kind: 'write', line, path, text })
      marks = []
    }
  }
  return { steps, problems }
}

const isKnown = (mark: string) => /^(?:not run: \S|terminal: \w+$|at ".+" type \S+$)/.test(mark)
const isNotRun = (mark: string) => /^not run: \S/.test(mark)

function readMarks(marks: readonly string[]): Pick<Typed, 'terminal' | 'answers'> {
  const terminal = marks.flatMap((mark) => /^terminal: (\w+)$/.exec(mark)?.[1] ?? []).at(0)
  const answers = marks.flatMap((mark) => {
    const [, at, keys] = /^at "(.*)" type (\S+)$/.exec(mark) ?? []
    return at === undefined ? [] : [{ at, keys: keys! }]
  })
  return { ...(terminal !== undefined && { terminal }), answers }
}
