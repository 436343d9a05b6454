/**
 * `npm run simulate` runs many seeds of the simulation, every twentieth with 100 replicas; `-- --seeds 1000`, `-- --seed 7` for
 * one (repeatable), `-- --replicas 100` for all, `-- --seconds 60` of virtual time each. Exit code 1 if a promise was broken, with the command
 * that repeats it. `-- --defect limits,fence` puts defects in, and tries seeds until each is found.
 */
import { parseArgs } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { type Defect, defects } from './defects.ts'
import { simulate } from './simulate.ts'

const realNow = performance.now.bind(performance)
const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    replicas: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    defect: { type: 'string' },
  },
})
const seeds = values.seed?.map(Number) ?? Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.first) + index) // biome-ignore format: one line
const wanted = values.defect?.split(',') ?? []
const unknown = wanted.filter((name) => !Object.hasOwn(defects, name))
if (unknown.length > 0) throw new Error(`There is no defect ${unknown.join(', ')}: choose from ${Object.keys(defects).join(', ')}.`) // biome-ignore format: one line
const postgres = await PGlite.create()
const startedAt = realNow()
let passed = 0
let failed = 0
if (wanted.length > 0) for (const defect of wanted as Defect[]) await find(defect)
else for (const seed of seeds) await run(seed)
console.log(`${passed} passed, ${failed} failed in ${((realNow() - startedAt) / 1000).toFixed(1)} s`)
process.exit(failed > 0 ? 1 : 0)

async function find(defect: Defect) {
  for (const seed of seeds) {
    const broken = await run(seed, defect)
    if (!broken.some((problem) => problem.includes(defects[defect]))) continue
    console.log(`  The defect ${defect} was found.`)
    return
  }
}

async function run(seed: number, defect?: Defect): Promise<readonly string[]> {
  const replicas = Number(values.replicas ?? (seed % 20 === 0 ? 100 : 2 + (seed % 7)))
  const options = { seed, replicas, seconds: Number(values.seconds), ...(defect && { defect }) }
  // What one seed leaves behind must not matter to the next, nor fill the memory.
  await postgres.exec('DROP SCHEMA IF EXISTS toolpact CASCADE; CREATE SCHEMA toolpact; SET search_path TO toolpact')
  const { broken, faults, ...report } = await simulate(options, postgres)
  const told = Object.entries({ replicas, ...report, ...faults }).map(([name, count]) => `${name} ${count}`)
  console.log(`seed ${seed}: ${broken.length === 0 ? 'every promise held' : 'BROKEN'} (${told.join(', ')})`)
  if (broken.length === 0) passed++
  else {
    failed++
    for (const problem of broken.slice(0, 10)) console.log(`  ${problem}`)
    const again = `--seed ${seed} --replicas ${replicas} --seconds ${values.seconds}${defect ? ` --defect ${defect}` : ''}`
    console.log(`  Repeat it: npm run simulate -- ${again}`)
  }
  return broken
}
