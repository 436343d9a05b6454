/** The user's name for the ledger. From the system, because environment variables can be forged. */
export function readUserName(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    // In containers, the user id may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
