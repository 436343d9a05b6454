import { defineToolset } from '../../src/contract/define-toolset.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { createQueries } from '../../src/runtime/pipeline/queries.ts'
import type { Served } from '../../src/surfaces/served.ts'
import { defineEcho, openTestPipeline, openTestStorage } from './open-test-pipeline.ts'

/** A toolset that gains a tool on demand, as an upstream may. */
export function openChanging({ description }: { readonly description?: string } = {}) {
  const names = ['echo']
  const load = async () =>
    defineToolset(
      'test',
      names.map((name) => defineEcho({ name, ...(description !== undefined && { description }) })),
    )
  const catalog = createCatalog<unknown>({ test: Object.assign(load, { settled: async () => {} }) })
  const storage = openTestStorage('memory')
  const { call } = openTestPipeline([], { catalog, storage })
  const { approvals, replies } = storage
  const parts = { call, approvals, replies, queries: createQueries(), workspace: '' }
  const served: Served = { ...parts, catalog: catalog as Served['catalog'] }
  return {
    served,
    grow() {
      names.push(`echo_${names.length}`)
      catalog.reload('test')
    },
  }
}
