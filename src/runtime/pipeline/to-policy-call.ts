import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { PolicyCall } from '../../policy/policy-call.ts'
import { toRealPaths } from '../rules/real-paths.ts'
import type { PipelineOptions } from './pipeline-options.ts'
import type { Trace } from './trace.ts'

type Place = Pick<PipelineOptions<never>, 'workspace' | 'session' | 'groupsOf'>

/** A call as the policy sees it. */
export function toPolicyCall(
  { toolId, canonicalInput, caller, input: given }: Pick<Trace, 'toolId' | 'canonicalInput' | 'caller' | 'input'>,
  contract: Contract,
  { workspace, session, groupsOf }: Place,
): PolicyCall {
  const input = given as JsonObject
  const realPaths = workspace === undefined ? undefined : toRealPaths(contract.effects, input, workspace)
  const own = inGroups(inSession(caller, session), groupsOf)
  return { toolId, contract, input, canonicalInput, caller: own, workspace, realPaths, now: Date.now() }
}

/** A caller without a session belongs to the one of the process. */
export function inSession(caller: Caller, session: string | undefined): Caller {
  return caller.session === undefined && session !== undefined ? { ...caller, session } : caller
}

/** With the groups of the config that name it. */
export function inGroups(caller: Caller, groupsOf: PipelineOptions<never>['groupsOf']): Caller {
  const groups = groupsOf?.(caller)
  return groups === undefined || groups === caller.groups || groups.length === 0 ? caller : { ...caller, groups }
}
