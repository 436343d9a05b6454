import { defaultLimits } from '../../contract/contract.ts'
import type { Finding } from '../../contract/diff/change.ts'
import { diffPolicy } from '../../contract/diff/diff-policy.ts'
import { diffSchemas } from '../../contract/diff/diff-schemas.ts'
import { diffDefinitions } from './diff-definitions.ts'
import type { LockedPolicy, LockedTool } from './lock.ts'

export type ComparedTool = Pick<LockedTool, 'definition' | 'policy' | 'overlay'>

/** The changes in a definition and in its policy. */
export function diffLockedTools(old: ComparedTool, next: ComparedTool): Finding[] {
  return [...diffDefinitions(old.definition, next.definition), ...diffPolicy(toHeld(old.policy), toHeld(next.policy))]
}

/** The changes in the attached output schema. */
export function diffOverlays({ overlay: old }: ComparedTool, { overlay: next }: ComparedTool): Finding[] {
  const pointer = '/overlay/output'
  if (old && next)
    return diffSchemas(old.output, next.output, 'output').map((finding) => ({
      ...finding,
      pointer: finding.pointer.replace('/output', pointer),
    }))
  if (!old && !next) return []
  const message = next ? 'An output schema was attached.' : 'The output schema that was attached is gone.'
  return [{ pointer, category: 'wire', breaking: !next, message }]
}

export function isLooserPolicy(old: LockedPolicy, next: LockedPolicy): boolean {
  return diffPolicy(toHeld(old), toHeld(next)).some(({ breaking }) => breaking)
}

function toHeld(policy: LockedPolicy) {
  return { ...policy, limits: defaultLimits, effects: {}, input: {} }
}
