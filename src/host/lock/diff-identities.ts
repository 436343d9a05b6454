import type { Finding } from '../../contract/diff/change.ts'
import { showValue } from '../../contract/text/show-value.ts'
import { describeGrants, findWider, type Grants } from './grants.ts'
import type { ServerIdentity } from './lock.ts'

/** A change in the identity of a server. */
export interface IdentityChange extends Finding {
  /**
   * `tampered`: different content under the same version; none of its tools is admitted. `replaced`: a different server,
   * command or version; reported by `toolpact lock --check`. `note`: a change in what the server says about itself.
   */
  readonly weight: 'tampered' | 'replaced' | 'note'
}

/** The changes in the identity of a server. The definitions may be unchanged although different code runs. */
export function diffIdentities(old: ServerIdentity, next: ServerIdentity): IdentityChange[] {
  const replaced = (['kind', 'command', 'package', 'version', 'url'] as const)
    .filter((field) => old[field] !== next[field])
    .map((field) => toChange(field, [old[field], next[field]], 'replaced'))
  const isOther = replaced.length > 0
  // Not known on every machine.
  const isTampered =
    !isOther && old.integrity !== undefined && next.integrity !== undefined && old.integrity !== next.integrity
  const info = (['name', 'title', 'version'] as const).filter(
    (field) => old.serverInfo?.[field] !== next.serverInfo?.[field],
  )
  return [
    ...replaced,
    ...diffGrants(old.grants, next.grants),
    ...(isTampered ? [toChange('integrity', [old.integrity, next.integrity], 'tampered')] : []),
    ...info.map((field) =>
      toChange(`serverInfo/${field}`, [old.serverInfo?.[field], next.serverInfo?.[field]], 'note'),
    ),
  ]
}

/** More than was accepted is a change to review; less is only reported. */
function diffGrants(old: Grants | undefined, next: Grants | undefined): IdentityChange[] {
  const [before, after] = [describeGrants(old), describeGrants(next)]
  if (before === after) return []
  const wider = findWider(old, next)
  const isWider = wider.length > 0
  const message = isWider
    ? `The server may do more than was accepted: ${wider.join(', ')}. Accepted was that it ${before}.`
    : `What the server may touch has become less: it now ${after}.`
  return [{ pointer: '/identity/grants', category: 'policy', breaking: isWider, message, before, after, weight: isWider ? 'replaced' : 'note' }] // biome-ignore format: one line
}

function toChange(
  field: string,
  [before, after]: readonly [before: string | undefined, after: string | undefined],
  weight: IdentityChange['weight'],
): IdentityChange {
  return {
    pointer: `/identity/${field}`,
    category: weight === 'note' ? 'words' : 'policy',
    breaking: weight !== 'note',
    message: toMessage(field, show(before), show(after)),
    ...(before !== undefined && { before: show(before) }),
    ...(after !== undefined && { after: show(after) }),
    weight,
  }
}

function toMessage(field: string, before: string, after: string): string {
  if (field === 'integrity')
    return `The package has another content under the same version: its integrity changed from ${before} to ${after}.`
  if (field.startsWith('serverInfo/'))
    return `The ${field.slice(11)} that the server gives itself changed from ${before} to ${after}.`
  return `The server's ${field} changed from ${before} to ${after}. What runs is not what was accepted.`
}

function show(value: string | undefined): string {
  return value === undefined ? 'none' : showValue(value, 200)
}
