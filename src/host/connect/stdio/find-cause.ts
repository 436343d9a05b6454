/**
 * Finds the line of the last output that explains why a server exited: `Error: …`, not the end of a stack trace. Tries known
 * launchers and runtimes first, then any line that looks like an error, then the last line that is not part of a trace.
 */
export function findCause(lines: readonly string[]): string {
  const shown = lines.filter((line) => !isNoise(line))
  const index = finders.map((find) => find(shown)).find((found) => found >= 0) ?? shown.length - 1
  return index < 0 ? '' : withDetail(shown, index)
}

/** A line that starts with a name such as `TypeError [CODE]` or `pkg.sub.SomeException`, followed by a message. */
const exception = /^(?:Uncaught )?(?:fatal: |Fatal )?[\w.$]*(?:Error|Exception|Fault|Timeout|Refused)(?: \[\w+\])?: ?\S/
const npm = /^npm (?:error|ERR!) /
/** What npm prints around the cause. */
const npmFrame =
  /^npm (?:error|ERR!) (?:code |errno |syscall |path |dest |command |\d+\s*$|\s|}|A complete log|If you are behind)/
const launcher =
  /^\s*(?:docker: |podman: |×|error: |Error: |ERR_PNPM_\w+|➤ YN\d{4}: .*(?:not found|error)|panic: |fatal error: |thread '.*' panicked at|Exception in thread |(?:\/?\w+\/)*(?:sh|bash|dash|zsh|env): .*(?:not found|No such file|Permission denied|cannot execute))/
const likeAnError =
  /\b(?:error|fatal|failed|failure|cannot|could not|can't|unable|missing|must (?:be|have)|required|not set|not found|no such|invalid|denied|unauthori[sz]ed|forbidden|usage:|no module named)/i

const finders: readonly ((lines: readonly string[]) => number)[] = [
  (lines) => lines.findLastIndex((line) => exception.test(line)),
  (lines) => lines.findIndex((line) => npm.test(line) && !npmFrame.test(line)),
  (lines) => lines.findIndex((line) => launcher.test(line)),
  (lines) => lines.findLastIndex((line) => likeAnError.test(line)),
]

/** Stack frames, the source line and caret that runtimes print, and progress of launchers. */
function isNoise(line: string): boolean {
  return /^\s*(?:$|at \S|\.\.\. \d+ (?:more|lines)|\^+\s*$|~+\^|File "|[}\])]+[,;]?\s*$|Node\.js v\d|Bun v\d|npm (?:warn|WARN|notice)|note: run with `RUST_BACKTRACE|Traceback )|^node:internal\/|^\s+(?:throw|raise) /.test(
    line,
  )
}

/** A line that only introduces the cause (`ZodError: [`, `× No solution found:`) is followed by what it introduces. */
function withDetail(lines: readonly string[], start: number): string {
  let text = lines[start]!.trim()
  for (const line of lines.slice(start + 1, start + 6)) {
    if (!/[:[{(,]$/.test(text) && !/^\s*(?:╰─▶|Caused by:)/.test(line)) break
    text = `${text} ${line.trim()}`
  }
  return text
}
