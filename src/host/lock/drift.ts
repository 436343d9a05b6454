/**
 * How a changed definition differs from the accepted one, the most serious way first: `instructs`, new words raise a
 * signal or hide characters; `breaks`, an accepted call may fail, or the change is not understood; `loosens`, the server
 * promises less; `compatible`, accepted calls and outputs stay valid; `wording`, only texts differ.
 */
export type Drift = 'instructs' | 'breaks' | 'loosens' | 'compatible' | 'wording'

/** What follows from it, as the end of a sentence. */
export const driftWords: { readonly [drift in Drift]: string } = {
  instructs: 'gives instructions that were not accepted',
  breaks: 'may break accepted calls',
  loosens: 'promises less than before',
  compatible: 'accepts every accepted call',
  wording: 'differs only in its wording',
}

/** Drift after which the accepted definition stays in use while a review is open. */
export function isHarmless(drift: Drift): boolean {
  return drift === 'compatible' || drift === 'wording'
}
