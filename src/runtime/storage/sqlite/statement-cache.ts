import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Prepares each statement with its first use, and once. */
export function cacheStatements(connection: DatabaseSync): (text: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const known = statements.get(text)
    if (known) return known
    const statement = connection.prepare(text)
    statements.set(text, statement)
    return statement
  }
}
