import type { Contract } from '../../contract/contract.ts'
import type { Ledger, OutcomeRecord } from '../../runtime/storage/storage.ts'
import type { KnownOfStep } from './workflow-runs.ts'

/** Whether a call that may have run can be made again without a further effect. */
export function mayRunAgain(contract: Contract | undefined): boolean {
  return contract !== undefined && (contract.risk === 'read_only' || contract.idempotent === true)
}

/** What the ledger knows of a call during which its process ended. */
export async function lookUpKnown(
  ledger: Pick<Ledger, 'read'>,
  { run, step, callId }: { readonly run: string; readonly step: string; readonly callId: string },
): Promise<KnownOfStep> {
  const records = (await ledger.read({ callId })).map(({ record }) => record)
  const intended = records.some(({ kind }) => kind === 'intent')
  const ended = records.find((record): record is OutcomeRecord => record.kind === 'outcome')
  const outcome = ended && { success: ended.success, errorCode: ended.errorCode, at: ended.at }
  return { intended, ...(outcome && { outcome }), message: toMessage(outcome, `toolpact runs resume ${run} ${step}`) }
}

function toMessage(outcome: KnownOfStep['outcome'], command: string): string {
  const begun = 'The process ended during this step, whose tool may not run twice by itself.'
  const what = !outcome
    ? 'The call began, and it is not known whether it took effect.'
    : outcome.success
      ? `The call succeeded at ${outcome.at}, but what it returned was lost.`
      : `The call failed at ${outcome.at} (${outcome.errorCode}).`
  return `${begun} ${what} Find out, and then run one of: ${command} --done OUTPUT, ${command} --again, ${command} --failed`
}
