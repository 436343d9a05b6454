import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { chainStart } from '../ledger-chain.ts'
import { indexBlocks } from './index-blocks.ts'
import {
  connectionsSchema,
  groupsSchema,
  proofSchema,
  runsSchema,
  signInsSchema,
  tasksSchema,
  toJournalKeySchema,
  totalsSchema,
  totalsVersion,
} from './later-schema.ts'
import { importPlainJournals } from './plain-journals.ts'
import { cacheStatements } from './statement-cache.ts'

const schemaVersion = totalsVersion
/** First version with the ledger index, id and archives. */
export const blocksVersion = 9
/** First version whose index finds and counts calls. */
export const callsVersion = 11
/** "pact" in ASCII, which identifies the file format. */
export const applicationId = 0x70616374

/** Creates or migrates the tables. Throws for a state of a later version. */
export function bringUpToDate(connection: DatabaseSync, path: string, report: (message: string) => void): void {
  const version = readVersion(connection)
  requireKnown(version, path)
  if (version === schemaVersion) return
  // Takes effect on an empty file only. Allows returning free pages to the file system.
  if (version === 0) connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  try {
    const finish = migrate(connection, path, report)
    connection.exec('COMMIT')
    finish()
  } catch (error) {
    // A full disk ends the transaction, and rolling back again would hide why.
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

export function requireKnown(version: number, path: string): void {
  if (version >= 0 && version <= schemaVersion) return
  throw new ToolpactError(
    'storage_unavailable',
    `The state file ${path} has version ${version}, and this Toolpact knows version ${schemaVersion}. Update Toolpact, or choose another state directory.`,
  )
}

export function isCurrent(version: number): boolean {
  return version === schemaVersion
}

export function readVersion(connection: DatabaseSync): number {
  return connection.prepare('PRAGMA user_version').get()!.user_version as number
}

/** Safe to run in several processes at once: one creates the tables, the others find them. Returns what to do after the commit. */
function migrate(connection: DatabaseSync, path: string, report: (message: string) => void): () => void {
  const before = readVersion(connection)
  const backup = before > 0 && before < schemaVersion ? backUp(path, before) : undefined
  if (readVersion(connection) === 0) connection.exec(schema)
  if (readVersion(connection) === 1) connection.exec(questionsSchema)
  if (readVersion(connection) === 2) connection.exec(ruleUsesSchema)
  if (readVersion(connection) === 3) connection.exec(repliesSchema)
  if (readVersion(connection) === 4) connection.exec(evidenceSchema)
  if (readVersion(connection) === 5) connection.exec(sessionsSchema)
  if (readVersion(connection) === 6) connection.exec(journalsSchema)
  if (readVersion(connection) === 7) connection.exec(bindingsSchema)
  if (readVersion(connection) === 8) connection.exec(blocksSchema)
  if (readVersion(connection) === 9) connection.exec(queueSchema)
  if (readVersion(connection) === 10) indexCalls(connection)
  if (readVersion(connection) === 11) connection.exec(peopleSchema)
  if (readVersion(connection) === 12) connection.exec(waitsSchema)
  if (readVersion(connection) === 13) connection.exec(proofSchema)
  if (readVersion(connection) === 14) connection.exec(tasksSchema)
  if (readVersion(connection) === 15) connection.exec(groupsSchema)
  if (readVersion(connection) === 16) connection.exec(signInsSchema)
  if (readVersion(connection) === 17) connection.exec(runsSchema)
  let finish = () => {}
  if (readVersion(connection) === 18) {
    connection.exec(toJournalKeySchema())
    if (before > 0) finish = importPlainJournals(connection, dirname(path))
  }
  if (readVersion(connection) === 19) connection.exec(connectionsSchema)
  if (readVersion(connection) === 20) connection.exec(totalsSchema)
  if (backup !== undefined)
    report(`The state was migrated from version ${before} to ${schemaVersion}. As it was before, it is kept in ${backup}: delete that file once you no longer need it.`) // biome-ignore format: one line
  return finish
}

/**
 * Backs up the state, including its WAL, into a file beside it. Uses another connection while this one holds the write lock.
 */
function backUp(path: string, version: number): string {
  const backup = join(dirname(path), `toolpact-v${version}-backup.db`)
  const temporary = `${backup}.tmp`
  // SQLite fills an existing empty file; a file that it creates would be world-readable.
  writeFileSync(temporary, '', { mode: 0o600 })
  const reader = new DatabaseSync(path, { readOnly: true })
  try {
    reader.prepare('VACUUM INTO ?').run(temporary)
  } finally {
    reader.close()
  }
  renameSync(temporary, backup)
  return backup
}

function indexCalls(connection: DatabaseSync) {
  connection.exec(callsSchema)
  const sql = cacheStatements(connection)
  while (indexBlocks(sql, 16)) {}
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

/** Older questions and approvals have no caller, so no call can use them. */
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
  PRAGMA user_version = 8;
`

/** `ledger_origin`: the last archived entry, which precedes the first entry here. */
const blocksSchema = `
  CREATE TABLE ledger_blocks (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, ids TEXT NOT NULL, tools TEXT NOT NULL, max_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ledger_origin (
    id INTEGER PRIMARY KEY CHECK (id = 1), ledger TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO ledger_origin VALUES (1, lower(hex(randomblob(16))), ${chainStart.seq}, '${chainStart.hash}');
  CREATE TABLE ledger_archives (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, hash TEXT NOT NULL, file TEXT NOT NULL, archived_at TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = ${blocksVersion};
`

/** Older questions and approvals are not bound to a policy and preview, so no call can use them. */
const queueSchema = `
  DROP TABLE questions;
  DROP TABLE approvals;
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    caller TEXT NOT NULL, workspace TEXT NOT NULL, policy_digest TEXT NOT NULL, preview_digest TEXT NOT NULL,
    by TEXT NOT NULL, expires_at REAL NOT NULL, for_tool INTEGER NOT NULL, is_over INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX approvals_by_call ON approvals (input_digest, caller, tool);
  CREATE INDEX approvals_by_expiry ON approvals (is_over, expires_at);
  CREATE TABLE questions (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    caller TEXT NOT NULL, workspace TEXT NOT NULL, policy_digest TEXT NOT NULL, preview_digest TEXT NOT NULL,
    asked_at REAL NOT NULL, expires_at REAL NOT NULL, answer_ms REAL NOT NULL, waiter TEXT, waits_until REAL NOT NULL,
    summary TEXT NOT NULL, bytes INTEGER NOT NULL, answer TEXT, by TEXT, for_tool INTEGER NOT NULL DEFAULT 0,
    is_used INTEGER NOT NULL DEFAULT 0, is_over INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX questions_by_call ON questions (input_digest, caller, tool);
  CREATE INDEX questions_by_expiry ON questions (is_over, expires_at);
  CREATE INDEX pending_questions ON questions (caller, bytes) WHERE answer IS NULL AND is_over = 0;
  CREATE TABLE question_details (id TEXT PRIMARY KEY, details TEXT NOT NULL) STRICT;
  PRAGMA user_version = 10;
`

/**
 * The index, made again with callers and outcomes. `ids` is last: it is long, and most queries do not need it.
 * `ledger_open`: indexed calls that have not ended. `ledger_late`: indexed entries of calls that began in an earlier block.
 * `ledger_spans`: counts for plots. `queue_version` changes with every question that is asked, answered, used or ended.
 */
const callsSchema = `
  DROP TABLE ledger_blocks;
  CREATE TABLE ledger_blocks (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, min_at TEXT NOT NULL, max_at TEXT NOT NULL,
    tools TEXT NOT NULL, callers TEXT NOT NULL, outcomes TEXT NOT NULL, ids TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ledger_open (
    call_id TEXT PRIMARY KEY, first INTEGER NOT NULL, waited_ms REAL NOT NULL, has_failed INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ledger_open_by_first ON ledger_open (first);
  CREATE TABLE ledger_late (seq INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;
  CREATE INDEX ledger_late_by_first ON ledger_late (first);
  CREATE TABLE ledger_spans (
    span INTEGER NOT NULL, start INTEGER NOT NULL, tool TEXT NOT NULL, state TEXT NOT NULL, code TEXT NOT NULL,
    count INTEGER NOT NULL, violations INTEGER NOT NULL, durations TEXT NOT NULL,
    PRIMARY KEY (span, start, tool, state, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ledger_tools (
    tool TEXT PRIMARY KEY, calls INTEGER NOT NULL, failed INTEGER NOT NULL, refused INTEGER NOT NULL, since TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ledger_callers (
    tool TEXT NOT NULL, caller TEXT NOT NULL, calls INTEGER NOT NULL, PRIMARY KEY (tool, caller)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE queue_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT;
  INSERT INTO queue_version VALUES (1, 0);
  CREATE TRIGGER question_asked AFTER INSERT ON questions BEGIN UPDATE queue_version SET version = version + 1; END;
  CREATE TRIGGER question_changed AFTER UPDATE OF answer, is_used, is_over ON questions
    BEGIN UPDATE queue_version SET version = version + 1; END;
  CREATE TRIGGER question_deleted AFTER DELETE ON questions BEGIN UPDATE queue_version SET version = version + 1; END;
  PRAGMA user_version = ${callsVersion};
`

/** `approved_by`: a JSON array of names. */
const peopleSchema = `
  ALTER TABLE questions ADD COLUMN people_needed INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE questions ADD COLUMN approved_by TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE questions ADD COLUMN via TEXT;
  ALTER TABLE approvals ADD COLUMN approved_by TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE approvals ADD COLUMN via TEXT;
  DROP TRIGGER question_changed;
  CREATE TRIGGER question_changed AFTER UPDATE OF answer, approved_by, is_used, is_over ON questions
    BEGIN UPDATE queue_version SET version = version + 1; END;
  PRAGMA user_version = 12;
`

const waitsSchema = `
  ALTER TABLE questions ADD COLUMN answered_at REAL;
  PRAGMA user_version = 13;
`
