/** One requirement of a requirements document. */
export interface Statement {
  /** Stable and unique: a letter for the document, then a number. */
  readonly id: string
  /** The requirement in our own words. */
  readonly says: string
  /** Where a reader finds it: a tool, a command, a setting, a page. Markdown; links are relative to `docs/`. */
  readonly where: string
  /** Tests that check it, as `path of the file: title of the test`. */
  readonly tests?: readonly string[]
  /** Numbers of decision records for deliberate differences and additions. */
  readonly decision?: readonly string[]
}

export interface Group {
  readonly title: string
  readonly statements: readonly Statement[]
}

export interface RequirementsDocument {
  /** The title of the document. */
  readonly title: string
  /** What the document is about, and which part of Toolpact answers it. Markdown. */
  readonly about: string
  /** What has another name here: as the document calls it, and where it is. Markdown. */
  readonly names?: readonly (readonly [theirs: string, here: string])[]
  readonly groups: readonly Group[]
}

/** Makes statements that have a test of their own in this file, titled by the id. `more` adds other tests, and decisions. */
export function checkedIn(file: string) {
  return (id: string, says: string, where: string, more: Pick<Statement, 'tests' | 'decision'> = {}): Statement => ({
    id,
    says,
    where,
    ...more,
    tests: [`${file}: ${id}`, ...(more.tests ?? [])],
  })
}
