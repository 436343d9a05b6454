import { randomBytes } from 'node:crypto'

/** First version with a Merkle tree over the ledger. */
export const proofVersion = 14
/** First version with tasks. */
export const tasksVersion = 15
/** First version that finds a call without reading the ids of all blocks. */
export const groupsVersion = 16
/** First version with links and sessions of the console. */
export const signInsVersion = 17
/** First version with runs of workflows. */
export const runsVersion = 18
/** First version whose journals are authenticated. */
export const journalKeyVersion = 19
/** First version with connections to servers. */
export const connectionsVersion = 20
/** First version with totals of pending questions, and with the blocks of each tool. */
export const totalsVersion = 21

/**
 * `base`: entries up to it were archived before there was a tree. `sealer`: which process makes checkpoints, until when.
 * `received_checkpoints`: those of other ledgers, which were sent here to be kept.
 */
export const proofSchema = `
  CREATE TABLE ledger_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1), base INTEGER NOT NULL, size INTEGER NOT NULL, frontier BLOB NOT NULL,
    sealer TEXT NOT NULL, sealing_until REAL NOT NULL
  ) STRICT;
  INSERT INTO ledger_tree SELECT 1, seq, 0, x'', '', 0 FROM ledger_origin;
  CREATE TABLE ledger_tiles (
    level INTEGER NOT NULL, tile INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, tile)
  ) STRICT;
  CREATE TABLE ledger_checkpoints (size INTEGER PRIMARY KEY, at REAL NOT NULL, note TEXT NOT NULL) STRICT;
  CREATE TABLE received_checkpoints (
    origin TEXT NOT NULL, size INTEGER NOT NULL, at REAL NOT NULL, note TEXT NOT NULL, key TEXT NOT NULL,
    caller TEXT NOT NULL, PRIMARY KEY (origin, size)
  ) STRICT;
  PRAGMA user_version = ${proofVersion};
`

/** `tasks_version` changes with every task that is added, changed or deleted; a renewed lease is no change. */
export const tasksSchema = `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY, caller TEXT NOT NULL, workspace TEXT NOT NULL, tool TEXT NOT NULL, state TEXT NOT NULL,
    created_at REAL NOT NULL, updated_at REAL NOT NULL, expires_at REAL NOT NULL, owner TEXT NOT NULL,
    lease_until REAL NOT NULL, question TEXT, is_error INTEGER NOT NULL DEFAULT 0, input_requests TEXT,
    input_responses TEXT, bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_caller ON tasks (caller, created_at, id);
  CREATE INDEX tasks_by_expiry ON tasks (expires_at);
  CREATE INDEX running_tasks ON tasks (lease_until) WHERE state = 'running';
  CREATE INDEX waiting_tasks ON tasks (workspace, created_at) WHERE state = 'waiting';
  CREATE TABLE task_texts (id TEXT PRIMARY KEY, request TEXT NOT NULL, result TEXT) STRICT;
  CREATE TABLE tasks_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT;
  INSERT INTO tasks_version VALUES (1, 0);
  CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN UPDATE tasks_version SET version = version + 1; END;
  CREATE TRIGGER task_changed AFTER UPDATE OF state, input_requests, input_responses ON tasks
    BEGIN UPDATE tasks_version SET version = version + 1; END;
  CREATE TRIGGER task_deleted AFTER DELETE ON tasks BEGIN UPDATE tasks_version SET version = version + 1; END;
  PRAGMA user_version = ${tasksVersion};
`

/** `ledger_ids`: ids of the calls of many blocks, which lose their own `ids`. Blocks of an older state are grouped little by little. */
export const groupsSchema = `
  CREATE TABLE ledger_groups (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  CREATE TABLE ledger_ids (
    grp INTEGER NOT NULL, id TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (grp, id, block)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${groupsVersion};
`

/** `about`: whom it signs in, as JSON. */
export const signInsSchema = `
  CREATE TABLE sign_ins (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, hash TEXT NOT NULL, about TEXT NOT NULL, expires_at REAL NOT NULL,
    UNIQUE (kind, hash)
  ) STRICT;
  DELETE FROM notes WHERE key = 'console-sessions';
  PRAGMA user_version = ${signInsVersion};
`

/** `runs_version` changes with every run that is added, changed or deleted; a renewed lease is no change. */
export const runsSchema = `
  CREATE TABLE runs (
    id TEXT PRIMARY KEY, workflow TEXT NOT NULL, contract_digest TEXT NOT NULL, caller TEXT NOT NULL,
    workspace TEXT NOT NULL, state TEXT NOT NULL, created_at REAL NOT NULL, updated_at REAL NOT NULL,
    expires_at REAL NOT NULL, owner TEXT NOT NULL, epoch INTEGER NOT NULL, lease_until REAL NOT NULL,
    done INTEGER NOT NULL, total INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at, id);
  CREATE INDEX running_runs ON runs (workspace) WHERE state = 'running';
  CREATE INDEX waiting_runs ON runs (workspace) WHERE state = 'waiting';
  CREATE INDEX open_runs ON runs (caller) WHERE state IN ('running', 'waiting', 'needs_person');
  CREATE INDEX ended_runs ON runs (expires_at) WHERE state IN ('completed', 'failed', 'cancelled');
  CREATE TABLE run_texts (id TEXT PRIMARY KEY, request TEXT NOT NULL, result TEXT) STRICT;
  CREATE TABLE run_steps (
    run TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL, call_id TEXT,
    question TEXT, wakes_at REAL, value TEXT, PRIMARY KEY (run, key)
  ) STRICT;
  CREATE INDEX waiting_steps ON run_steps (wakes_at, run) WHERE state = 'waiting';
  CREATE INDEX asking_steps ON run_steps (question, run) WHERE state = 'waiting' AND question IS NOT NULL;
  CREATE TABLE runs_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT;
  INSERT INTO runs_version VALUES (1, 0);
  CREATE TRIGGER run_added AFTER INSERT ON runs BEGIN UPDATE runs_version SET version = version + 1; END;
  CREATE TRIGGER run_changed AFTER UPDATE OF updated_at ON runs BEGIN UPDATE runs_version SET version = version + 1; END;
  CREATE TRIGGER run_deleted AFTER DELETE ON runs BEGIN UPDATE runs_version SET version = version + 1; END;
  PRAGMA user_version = ${runsVersion};
`

/**
 * `used`: null if journals use this secret, otherwise the id of a key that is kept elsewhere. From now on, `journals` has a row
 * per process, with the number of its records that were imported.
 */
export function toJournalKeySchema(): string {
  return `
  CREATE TABLE journal_key (id INTEGER PRIMARY KEY CHECK (id = 1), secret BLOB NOT NULL, used TEXT) STRICT;
  INSERT INTO journal_key VALUES (1, x'${randomBytes(32).toString('hex')}', NULL);
  PRAGMA user_version = ${journalKeyVersion};
`
}

/** `owner` and `server` are JSON; `sealed` is encrypted. */
export const connectionsSchema = `
  CREATE TABLE connections (
    owner TEXT NOT NULL, server TEXT NOT NULL, issuer TEXT NOT NULL, sealed TEXT NOT NULL, connected_at REAL NOT NULL,
    renewed_at REAL, version INTEGER NOT NULL, fault TEXT, holder TEXT, lease_until REAL, PRIMARY KEY (owner, server)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${connectionsVersion};
`

const totalEnded = `
  UPDATE queue_version SET pending = pending - 1, bytes = bytes - old.bytes;
  UPDATE queue_use SET questions = questions - 1, bytes = bytes - old.bytes WHERE caller = old.caller;
  DELETE FROM queue_use WHERE caller = old.caller AND questions = 0;
`

/**
 * `queue_version`, `queue_use`: pending questions and their bytes, in total and per caller. `ledger_tool_blocks`: blocks that are
 * in groups, by tool. Triggers maintain both, so that they stay exact while processes of an older version use the state. A
 * question that is not pending never becomes pending again.
 */
export const totalsSchema = `
  ALTER TABLE queue_version ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE queue_version ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE queue_use (
    caller TEXT PRIMARY KEY, questions INTEGER NOT NULL, bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO queue_use
    SELECT caller, count(*), sum(bytes) FROM questions WHERE answer IS NULL AND is_over = 0 GROUP BY caller;
  UPDATE queue_version SET pending = (SELECT coalesce(sum(questions), 0) FROM queue_use),
    bytes = (SELECT coalesce(sum(bytes), 0) FROM queue_use);
  DROP INDEX pending_questions;
  DROP TRIGGER question_asked;
  CREATE TRIGGER question_asked AFTER INSERT ON questions BEGIN
    UPDATE queue_version SET version = version + 1, pending = pending + 1, bytes = bytes + new.bytes;
    INSERT INTO queue_use SELECT new.caller, 0, 0 WHERE new.caller NOT IN (SELECT caller FROM queue_use);
    UPDATE queue_use SET questions = questions + 1, bytes = bytes + new.bytes WHERE caller = new.caller;
  END;
  CREATE TRIGGER question_ended AFTER UPDATE OF answer, is_over ON questions
    WHEN old.answer IS NULL AND old.is_over = 0 AND (new.answer IS NOT NULL OR new.is_over = 1)
    BEGIN ${totalEnded} END;
  CREATE TRIGGER pending_question_deleted AFTER DELETE ON questions WHEN old.answer IS NULL AND old.is_over = 0
    BEGIN ${totalEnded} END;
  CREATE TABLE ledger_tool_blocks (
    tool TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (tool, block)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ledger_tool_blocks
    SELECT value, first FROM ledger_blocks, json_each(tools)
    WHERE first <= (SELECT max(last) FROM ledger_groups) ORDER BY value, first;
  CREATE TRIGGER blocks_grouped AFTER INSERT ON ledger_groups BEGIN
    INSERT INTO ledger_tool_blocks
      SELECT value, first FROM ledger_blocks, json_each(tools)
      WHERE first BETWEEN new.first AND new.last ORDER BY value, first;
  END;
  CREATE TRIGGER block_deleted AFTER DELETE ON ledger_blocks BEGIN
    DELETE FROM ledger_tool_blocks WHERE tool IN (SELECT value FROM json_each(old.tools)) AND block = old.first;
  END;
  PRAGMA user_version = ${totalsVersion};
`
