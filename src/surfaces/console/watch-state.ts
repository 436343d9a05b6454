import type { Toolpact } from '../../app/app.ts'

interface Listeners {
  readonly entries: () => void
  readonly questions: () => void
  readonly server: (name: string) => void
  readonly rules: () => void
  readonly runs: () => void
}

/** Nothing reports a change of the rules, and reading their version is cheap. */
const rulesEveryMs = 1000

/** Reports what changes, in any process that shares the storage. Returns a function that stops it. */
export function watchState({ ledger, approvals, upstreams, rules, runs }: Toolpact, listeners: Listeners): () => void {
  let version: string | undefined
  const lookAtRules = async () => {
    const found = await rules.version().catch(() => version)
    if (version !== undefined && found !== version) listeners.rules()
    version = found
  }
  void lookAtRules()
  const timer = setInterval(lookAtRules, rulesEveryMs).unref()
  const stops = [
    ledger.watch(listeners.entries),
    approvals.watch(listeners.questions),
    upstreams.watch(({ name }) => listeners.server(name)),
    runs?.watch(listeners.runs) ?? (() => {}),
    () => clearInterval(timer),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
