/** Precision, recall and F1. */
export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export function toScore(precision: number, recall: number): Score {
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}
