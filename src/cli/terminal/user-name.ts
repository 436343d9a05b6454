/** Who answers, for the ledger. As the system knows them: the environment can say anything. */
export function readUserName(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    // Containers run users that have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
