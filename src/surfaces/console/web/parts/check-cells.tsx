import { type CheckState, checkNames } from '../../api/api.ts'
import { describeChecks, labelOf, toCells } from './checks.ts'

type States = { readonly [check: string]: CheckState | undefined }

/** The checks of a call as a row of cells: filled (passed), outlined (not needed), pulsing (waiting), crossed (failed). */
export function CheckCells({ checks, isRun = false }: { readonly checks: States; readonly isRun?: boolean }) {
  const names = isRun ? Object.keys(checks) : checkNames
  return (
    <span class="cells" role="img" aria-label={describeChecks(names, checks)}>
      {toCells(names, checks).map(({ name, state }) => (
        <i key={name} class={state} title={labelOf(name, state)} />
      ))}
    </span>
  )
}

/** The same cells with their names, for the story of a call. */
export function CheckList({ checks, isRun = false }: { readonly checks: States; readonly isRun?: boolean }) {
  const names = isRun ? Object.keys(checks) : checkNames
  return (
    <ol class="cells check-list">
      {toCells(names, checks).map(({ name, state }) => (
        <li key={name}>
          <i class={state} aria-hidden="true" /> <bdi>{labelOf(name, state)}</bdi>
        </li>
      ))}
    </ol>
  )
}
