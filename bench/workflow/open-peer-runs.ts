import { importFrom, installPeer } from '../peer.ts'

interface Step {
  run(options: { readonly name: string }, work: () => Promise<unknown>): Promise<unknown>
}

interface Peer {
  readonly OpenWorkflow: new (options: {
    backend: unknown
  }) => {
    defineWorkflow(
      spec: { readonly name: string },
      run: (context: { readonly step: Step }) => Promise<unknown>,
    ): { run(input?: unknown): Promise<{ result(): Promise<unknown> }> }
    newWorker(options: { readonly concurrency: number }): { start(): Promise<void>; stop(): Promise<void> }
  }
}

interface PeerSqlite {
  readonly BackendSqlite: { connect(path: string): { stop(): Promise<void> } }
}

/** Runs of OpenWorkflow on `node:sqlite`, with five steps that do nothing. */
export async function openPeerRuns(path: string) {
  const folder = installPeer('openworkflow', '0.10.1')
  const [{ OpenWorkflow }, { BackendSqlite }] = await Promise.all([
    importFrom<Peer>(folder, 'openworkflow'),
    importFrom<PeerSqlite>(folder, 'openworkflow/sqlite'),
  ])
  const backend = BackendSqlite.connect(path)
  const client = new OpenWorkflow({ backend })
  const five = client.defineWorkflow({ name: 'five' }, async ({ step }) => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) await step.run({ name }, async () => ({ number: 1 }))
    return { number: 1 }
  })
  const worker = client.newWorker({ concurrency: 20 })
  await worker.start()
  return {
    run: async () => (await five.run({})).result(),
    async close() {
      await worker.stop()
      await backend.stop()
    },
  }
}
