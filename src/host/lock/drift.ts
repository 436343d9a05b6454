/**
 * How a changed definition differs from the accepted one, most serious first. `instructs`: new text raises a signal or
 * contains hidden characters. `breaks`: an accepted call may fail, or the change is not understood. `loosens`: the server
 * promises less. `compatible`: accepted calls and outputs stay valid. `wording`: only texts differ.
 */
export type Drift = 'instructs' | 'breaks' | 'loosens' | 'compatible' | 'wording'

/** Describes the consequence; completes a sentence. */
export const driftWords: { readonly [drift in Drift]: string } = {
  instructs: 'gives instructions that were not accepted',
  breaks: 'may break accepted calls',
  loosens: 'promises less than before',
  compatible: 'accepts every accepted call',
  wording: 'differs only in its wording',
}

/** After such drift, the accepted definition stays in use until it is reviewed. */
export function isHarmless(drift: Drift): boolean {
  return drift === 'compatible' || drift === 'wording'
}
