import type { DatabaseSync } from 'node:sqlite'
import { chainStart } from './ledger-chain.ts'

const schemaVersion = 8
/** "pact" in ASCII, so that programs that look at files can tell what this one is. */
export const applicationId = 0x70616374

/** Creates the tables of a new state file, and those that an older one lacks. Refuses a file of a later version. */
export function bringUpToDate(connection: DatabaseSync, path: string): void {
  const version = readVersion(connection)
  if (version === schemaVersion) return
  if (version < 0 || version > schemaVersion)
    throw new Error(
      `The state file ${path} has version ${version}, and this Toolpact knows version ${schemaVersion}. Update Toolpact, or choose another state directory.`,
    )
  createSchema(connection)
}

function readVersion(connection: DatabaseSync): number {
  return connection.prepare('PRAGMA user_version').get()!.user_version as number
}

/** Several processes may come here at once: one makes the tables that are missing, the others find them. */
function createSchema(connection: DatabaseSync) {
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  if (readVersion(connection) === 0) connection.exec(schema)
  if (readVersion(connection) === 1) connection.exec(questionsSchema)
  if (readVersion(connection) === 2) connection.exec(ruleUsesSchema)
  if (readVersion(connection) === 3) connection.exec(repliesSchema)
  if (readVersion(connection) === 4) connection.exec(evidenceSchema)
  if (readVersion(connection) === 5) connection.exec(sessionsSchema)
  if (readVersion(connection) === 6) connection.exec(journalsSchema)
  if (readVersion(connection) === 7) connection.exec(bindingsSchema)
  connection.exec('COMMIT')
}

const schema = `
  CREATE TABLE ledger (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  INSERT INTO head VALUES (1, ${chainStart.seq}, '${chainStart.hash}');
  CREATE TABLE uses (key TEXT NOT NULL, until REAL NOT NULL) STRICT;
  CREATE INDEX uses_of_key ON uses (key, until);
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    by TEXT NOT NULL, expires_at REAL NOT NULL
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA user_version = 1;
`

const questionsSchema = `
  CREATE TABLE questions (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    asked_at REAL NOT NULL, expires_at REAL NOT NULL, details TEXT NOT NULL, answer TEXT, by TEXT
  ) STRICT;
  PRAGMA user_version = 2;
`

const ruleUsesSchema = `
  CREATE TABLE rule_uses (rule TEXT PRIMARY KEY, count INTEGER NOT NULL, last_used_at REAL NOT NULL) STRICT;
  PRAGMA user_version = 3;
`

const repliesSchema = `
  CREATE TABLE replies (
    key TEXT PRIMARY KEY, input_digest TEXT NOT NULL, expires_at REAL NOT NULL, reply TEXT
  ) STRICT;
  CREATE INDEX replies_by_expiry ON replies (expires_at);
  PRAGMA user_version = 4;
`

const evidenceSchema = `
  CREATE TABLE evidence (seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
  PRAGMA user_version = 5;
`

const sessionsSchema = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, about TEXT NOT NULL, status TEXT NOT NULL, started_at REAL NOT NULL, used_at REAL NOT NULL,
    turn INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE session_entries (
    session TEXT NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, seq)
  ) STRICT;
  CREATE TABLE session_images (
    seq INTEGER PRIMARY KEY, session TEXT NOT NULL, step INTEGER NOT NULL, path TEXT NOT NULL, before BLOB,
    state TEXT NOT NULL, after TEXT, UNIQUE (session, step, path)
  ) STRICT;
  PRAGMA user_version = 6;
`

const journalsSchema = `
  CREATE TABLE journals (name TEXT PRIMARY KEY, taken INTEGER NOT NULL, is_left INTEGER NOT NULL) STRICT;
  PRAGMA user_version = 7;
`

/** What was asked or granted before has no caller, so no call finds or uses it. */
const bindingsSchema = `
  ALTER TABLE approvals ADD COLUMN caller TEXT NOT NULL DEFAULT '';
  ALTER TABLE approvals ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  ALTER TABLE approvals ADD COLUMN for_tool INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN caller TEXT NOT NULL DEFAULT '';
  ALTER TABLE questions ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  ALTER TABLE questions ADD COLUMN answer_ms REAL NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN waiter TEXT;
  ALTER TABLE questions ADD COLUMN waits_until REAL NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN for_tool INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN is_used INTEGER NOT NULL DEFAULT 0;
  PRAGMA user_version = ${schemaVersion};
`
