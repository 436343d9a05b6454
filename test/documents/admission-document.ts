import { toTable } from '../../scripts/page-sections.ts'
import { completions } from '../../src/host/admission/completions.ts'
import { reasons } from '../../src/host/admission/reasons.ts'
import { allSignals } from '../../src/host/signals/signals.ts'
import { heldOut } from '../data/poisoned-held-out.ts'
import { allPoisons, measurePoisoned, measureReal, readRealServers, toClean } from '../helpers/measure-admission.ts'

/** The sections of docs/admission.md that are made from data. */
export function toTables(): { readonly [section: string]: string } {
  return {
    reasons: toTable(
      ['reason', 'when', 'what to do'],
      Object.entries(reasons).map(([code, { when, fix }]) => [`\`${code}\``, when, fix]),
    ),
    completions: toTable(
      ['what', 'shown as'],
      Object.entries(completions).map(([code, message]) => [`\`${code}\``, message]),
    ),
    signals: toTable(
      ['signal', 'looks for', 'why', 'real tools'],
      allSignals.map(({ id, looksFor, why, tools }) => [`\`${id}\``, looksFor, why, String(tools)]),
    ),
  }
}

/** What is measured with the definitions of real servers. */
export async function measureAll() {
  const servers = readRealServers()
  const clean = toClean(servers.flatMap(({ tools }) => tools))
  return {
    real: await measureReal(servers),
    known: measurePoisoned(clean, allPoisons, 5),
    unseen: measurePoisoned(clean, heldOut, 5),
  }
}

/** The section about that. */
export function toMeasured({ real, known, unseen }: Awaited<ReturnType<typeof measureAll>>): { measured: string } {
  const rows: [string, string, number, number][] = [
    ['admitted, apart from missing output schemas', 'tools of real servers', real.admitted, real.tools],
    ['flagged', 'tools of real servers', real.flagged, real.tools],
    ['flagged', 'instructions of real servers', real.flaggedInstructions, real.withInstructions],
    [`flagged, ${allPoisons.length} poisons`, 'real tools, poisoned by us', known.flagged, known.poisoned],
    [
      `flagged, ${heldOut.length} poisons written after the signals`,
      'real tools, poisoned by us',
      unseen.flagged,
      unseen.poisoned,
    ],
  ]
  const cells = rows.map(([what, of, count, all]) => [what, of, `${count} of ${all}`, toShare(count, all)])
  return { measured: toTable(['measured', 'of', 'count', 'share'], cells) }
}

function toShare(count: number, all: number): string {
  return `${((100 * count) / all).toFixed(1)} %`
}
