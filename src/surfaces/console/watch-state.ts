import type { Toolpact } from '../../app/app.ts'

interface Listeners {
  readonly entries: () => void
  readonly questions: () => void
  readonly server: (name: string) => void
  readonly rules: () => void
}

const everyMs = 300

/** Reports what changes, in any process that shares the storage. Returns a function that stops it. */
export function watchState({ ledger, approvals, upstreams }: Toolpact, listeners: Listeners): () => void {
  let head = -1
  let asked = ''
  const timer = setInterval(async () => {
    const [[last], questions] = await Promise.all([ledger.read({ last: 1 }), approvals.questions(Date.now())])
    const pending = questions.map(({ id, state }) => `${id} ${state}`).join()
    if (last && last.seq !== head) listeners.entries()
    if (pending !== asked) listeners.questions()
    head = last?.seq ?? 0
    asked = pending
  }, everyMs).unref()
  const stop = upstreams.watch(({ name }) => listeners.server(name))
  return () => {
    clearInterval(timer)
    stop()
  }
}
