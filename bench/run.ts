/** `npm run bench` runs every benchmark, `npm run bench -- startup ledger` the named ones. */
import { cpus } from 'node:os'

const benches: Record<string, () => Promise<{ bench: () => Promise<void> }>> = {
  startup: () => import('./startup.ts'),
  pipeline: () => import('./pipeline.ts'),
  ledger: () => import('./ledger.ts'),
  append: () => import('./append.ts'),
  rules: () => import('./rules.ts'),
  agent: () => import('./agent.ts'),
  search: () => import('./search.ts'),
  serve: () => import('./serve.ts'),
  host: () => import('./host.ts'),
  extract: () => import('./extract.ts'),
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches)
const unknown = chosen.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Choose from ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
console.log(`Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}`)
for (const name of chosen) await (await benches[name]!()).bench()
