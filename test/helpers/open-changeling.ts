import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import type { Progress } from '../../src/contract/tool.ts'
import { openClient } from '../../src/host/connect/open-client.ts'
import { openUpstreams, type UpstreamEntry, type UpstreamsOptions } from '../../src/host/open-upstreams.ts'
import { createRedactor } from '../../src/policy/redact.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { createPipeline } from '../../src/runtime/pipeline/pipeline.ts'
import type { Violation } from '../../src/runtime/pipeline/pipeline-options.ts'
import { define, withoutOutput } from '../upstream-servers/definitions.ts'
import { makeFolder, openTestStorage, yes } from './open-test-pipeline.ts'
import { entries } from './run-command.ts'

export { define, withoutOutput }

/** A server with a configurable tool list that can change. Its calls run without approval. */
export function makeChangeling(
  definitions: readonly JsonObject[] = [define('echo')],
  entry: UpstreamEntry = {},
  folder = makeFolder(),
) {
  const file = join(mkdtempSync(join(folder, 'changeling-')), 'tools.json')
  const list = (next: readonly JsonObject[]) => writeFileSync(file, JSON.stringify(next))
  list(definitions)
  return {
    entry: {
      command: process.execPath,
      args: [entries.changeling, file],
      approval: 'never',
      ...entry,
    } satisfies UpstreamEntry,
    list,
    /** Pids of all started processes, in order. */
    pids: () =>
      existsSync(`${file}.starts`) ? readFileSync(`${file}.starts`, 'utf8').trim().split('\n').map(Number) : [],
  }
}

/** Short delays, to keep tests fast. */
export const quickTimes = {
  pauses: { firstMs: 20, maxMs: 100, healthyMs: 60_000 },
  pingMs: 1000,
  minListMs: 20,
  settleMs: 10,
}

/** Servers behind a pipeline, as in a host. Closed after the test. */
export function openHost(servers: { readonly [name: string]: UpstreamEntry }, options: Partial<UpstreamsOptions> = {}) {
  const upstreams = openUpstreams(servers, {
    openClient,
    info: { name: 'a test', version: '1' },
    environment: process.env,
    folder: process.cwd(),
    times: quickTimes,
    ...options,
  })
  const storage = openTestStorage('memory')
  const violations: Violation[] = []
  const progress: Progress[] = []
  const catalog = createCatalog(upstreams.loaders, { names: 'dotted' })
  upstreams.onChange((server, change) => change === 'tools' && catalog.reload(server))
  const pipeline = createPipeline({
    catalog,
    storage,
    capabilities: () => ({}),
    redact: createRedactor({ environment: {}, names: [] }),
    approver: yes,
    onViolation: (violation) => violations.push(violation),
  })
  onTestFinished(() => upstreams.close())
  return {
    upstreams,
    catalog,
    violations,
    storage,
    call: (tool: string, input: unknown = { text: 'hi' }, signal?: AbortSignal) =>
      pipeline.call({
        tool,
        input,
        caller: { name: 'tester' },
        onProgress: (update) => progress.push(update),
        ...(signal && { signal }),
      }),
    progress,
    async names() {
      return (await catalog.all()).map(({ name }) => name)
    },
  }
}

/** Polls until a condition holds, with backoff; fails after a while. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  let pause = 5
  for (const end = Date.now() + 90_000; !(await holds()); pause = Math.min(pause * 1.5, 50)) {
    if (Date.now() > end) throw new Error(`It never came to be: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
