import { userInfo } from 'node:os'
/** The user's name for the ledger. From the system, because environment variables can be forged. */
export function readUserName(): string {
  try {
    return userInfo().username
  } catch {
    // In containers, the user id may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
