/**
 * `npm run capacity -- 2500 100000` prints what these numbers of calls per second need, by the stored measurements of
 * `npm run bench -- scale`; `--write` writes the tables of docs/capacity.md again.
 */
import { toCapacity, toCosts } from '../bench/scale/capacity.ts'
import { readMeasured } from '../bench/scale/measured.ts'
import { toNeeds, writeCapacity } from '../bench/scale/write-capacity.ts'

const rates = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))
  .map(Number)
if (rates.some((rate) => !(rate > 0))) {
  console.error('Give the calls per second as numbers: npm run capacity -- 2500')
  process.exit(2)
}
const measured = readMeasured()
if (!measured) {
  console.error('Nothing is measured yet. Run npm run bench -- scale.')
  process.exit(1)
}
if (process.argv.includes('--write')) writeCapacity()
if (rates.length > 0) console.log(toNeeds(rates.map((rate) => toCapacity(toCosts(measured), rate))))
