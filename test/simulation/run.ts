/**
 * `npm run simulate` runs many seeds of the simulation; `-- --seeds 1000`, `-- --seed 7` for one, `-- --replicas 100`,
 * `-- --seconds 60` of virtual time each. Exit code 1 if a promise was broken, with the command that repeats it.
 */
import { parseArgs } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { defects, simulate } from './simulate.ts'

const realNow = performance.now.bind(performance)
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    replicas: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    defect: { type: 'string' },
  },
})
const seeds = values.seed ? [Number(values.seed)] : Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.first) + index) // biome-ignore format: one line
/** With defects, each seed runs once for each of them. */
const chosen = values.defect?.split(',').map((name) => defects.find((known) => known === name)) ?? [undefined]
const postgres = await PGlite.create()
await postgres.exec('CREATE SCHEMA IF NOT EXISTS toolpact; SET search_path TO toolpact')
const startedAt = realNow()
let failed = 0
for (const seed of seeds) for (const defect of chosen) await run(seed, defect)
console.log(`${seeds.length * chosen.length - failed} passed, ${failed} failed in ${((realNow() - startedAt) / 1000).toFixed(1)} s`) // biome-ignore format: one line
process.exit(failed > 0 ? 1 : 0)

async function run(seed: number, defect: (typeof chosen)[number]) {
  const replicas = values.replicas ? Number(values.replicas) : 2 + (seed % 7)
  const options = { seed, replicas, seconds: Number(values.seconds), ...(defect && { defect }) }
  const { broken, faults, ...report } = await simulate(options, postgres)
  const told = Object.entries({ replicas, ...report, ...faults }).map(([name, count]) => `${name} ${count}`)
  console.log(`seed ${seed}: ${broken.length === 0 ? 'every promise held' : 'BROKEN'} (${told.join(', ')})`)
  if (broken.length === 0) return
  failed++
  for (const problem of broken.slice(0, 10)) console.log(`  ${problem}`)
  const again = `--seed ${seed} --replicas ${replicas} --seconds ${values.seconds}${defect ? ` --defect ${defect}` : ''}`
  console.log(`  Repeat it: npm run simulate -- ${again}`)
}
