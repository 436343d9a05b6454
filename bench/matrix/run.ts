/** `npm run matrix` plays every row before every gateway and writes docs/failure-matrix.md; `-- WORDS`: only rows with these words, and writes nothing. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { publishCharts } from '../publish.ts'
import { gatewayRows } from './gateway-rows.ts'
import { type Gateway, gateways } from './gateways.ts'
import { incidentRows } from './incident-rows.ts'
import { isolationRows } from './isolation-rows.ts'
import { moreRows } from './more-rows.ts'
import { offerRows } from './offer-rows.ts'
import { type Column, toPage } from './page.ts'
import type { Row, Rows, Seen } from './row.ts'
import { openStage } from './stage.ts'

const rowMs = 45_000
const allMs = 20 * 60_000
const page = new URL('../../docs/failure-matrix.md', import.meta.url)
const groups: { readonly [title: string]: Rows } = {
  'Cases in which gateways were seen to fail': gatewayRows,
  'Incidents of others': incidentRows,
  'Prompts, resources and questions': offerRows,
  'Servers that turned malicious': isolationRows,
  More: moreRows,
}

const words = process.argv.slice(2).join(' ')
const late = setTimeout(() => {
  console.error('The matrix took too long, and nothing was written.')
  process.exit(1)
}, allMs)
const columns = gateways.map(install)
const found: { [title: string]: { name: string; row: Row; cells: readonly Seen[] }[] } = {}
for (const [title, rows] of Object.entries(groups)) {
  found[title] = []
  for (const [name, row] of Object.entries(rows)) {
    if (!name.includes(words)) continue
    // All gateways in parallel, because rows mostly wait.
    const cells = await Promise.all(columns.map((column) => playBounded(row, column)))
    found[title].push({ name, row, cells })
    console.log(`${name}\n${columns.map(({ gateway }, index) => `  ${gateway.name}: ${toMark(cells[index]!)} ${cells[index]!.saw}`).join('\n')}`) // biome-ignore format: one line
  }
}
clearTimeout(late)
if (words === '') {
  writeFileSync(page, toPage(found, columns))
  publishCharts()
}
const failed = Object.values(found)
  .flat()
  .filter(({ cells }) => cells[0]!.pass !== true)
if (failed.length > 0) console.error(`Toolpact fails: ${failed.map(({ name }) => name).join('; ')}`)
process.exit(failed.length > 0 ? 1 : 0)

/** Reports a peer that the registry does not have as missing. */
function install(gateway: Gateway): Column {
  try {
    gateway.toArgs({ port: '0', folder: '', config: '', command: [] })
    return { gateway }
  } catch (failure) {
    console.error(`${gateway.name} could not be installed:`, failure)
    return { gateway, missing: 'could not be installed' }
  }
}

async function playBounded(row: Row, { gateway, missing }: Column): Promise<Seen> {
  if (missing !== undefined) return { pass: undefined, saw: missing }
  const stage = openStage(gateway)
  const stop = new AbortController()
  const limit = sleep(rowMs, { pass: false, saw: `nothing in ${rowMs / 1000} s` }, { signal: stop.signal }).catch(() => undefined) // biome-ignore format: one line
  try {
    const seen = await Promise.race([row.play(stage), limit])
    return seen ?? { pass: false, saw: 'nothing' }
  } catch (failure) {
    const { message, cause } = failure as Error
    console.error(`${gateway.name}: ${message}`, cause ?? failure)
    return { pass: false, saw: 'the servers are not served' }
  } finally {
    stop.abort()
    await stage.close()
  }
}

function toMark({ pass }: Seen): string {
  return pass === undefined ? '–' : pass ? 'pass' : 'FAIL'
}
