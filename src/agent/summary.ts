/** What `summarize` gives: bullets that the source supports, and what was dropped. */
export type Summary =
  | {
      readonly bullets: readonly {
        readonly claim: string
        readonly evidence: string
        readonly start: number
        readonly end: number
        readonly pointer: string
      }[]
      readonly dropped: readonly DroppedBullet[]
      readonly chunks: number
    }
  | { readonly none: true; readonly reason: string; readonly dropped: readonly DroppedBullet[] }

interface DroppedBullet {
  readonly claim: string
  readonly evidence: string
  readonly reason: string
}
