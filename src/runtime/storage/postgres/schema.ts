import { randomBytes } from 'node:crypto'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import type { Connection, Query } from './connection.ts'

/** The version that this code writes. */
const schemaVersion = 4
/** The oldest version of this code that can use tables of `schemaVersion`: one before, so that replicas can be updated one by one. */
const oldestUser = 3

/** Held while tables are made, by one process at a time. "pact" in ASCII. */
const migrationLock = 0x70616374

/** Creates or migrates the tables, and the rows that every tenant has. Throws for tables of a later version. */
export async function bringUpToDate(connection: Connection): Promise<void> {
  const { tenant, query } = connection
  if ((await readVersion(query)) < schemaVersion) await connection.transaction((own) => migrate(own, connection))
  else await requireUsable(query, connection)
  await query('INSERT INTO ledger_head (tenant, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', tenant)
  await query(
    "INSERT INTO ledger_tree (tenant, ledger, base, size, frontier) VALUES ($1, $2, 0, 0, '') ON CONFLICT DO NOTHING",
    tenant,
    randomBytes(16).toString('hex'),
  )
  await query('INSERT INTO ledger_counted (tenant, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', tenant)
  await query(
    `INSERT INTO documents (tenant, name, version, text)
     SELECT $1, name, 0, '' FROM unnest($2::text[]) AS name ON CONFLICT DO NOTHING`,
    tenant,
    documentNames,
  )
}

/** Every row exists from the start, so that a change can lock it. */
const documentNames = ['rules', 'tokens', 'token_uses', 'trust', 'lock', 'queue', 'sessions', 'tasks', 'runs', 'health']

async function readVersion(query: Query): Promise<number> {
  if (!(await hasTable(query, 'schema_version'))) return 0
  const [row] = await query<{ version: number }>('SELECT version FROM schema_version')
  return row?.version ?? 0
}

/** Reads the catalog, because `to_regclass` may answer from a cache that does not know yet what another connection has made. */
async function hasTable(query: Query, name: string): Promise<boolean> {
  const find = `
    SELECT 1 FROM pg_catalog.pg_class AS own JOIN pg_catalog.pg_namespace AS space ON space.oid = own.relnamespace
    WHERE space.nspname = 'toolpact' AND own.relname = $1
  `
  return (await query(find, name)).length > 0
}

async function requireUsable(query: Query, { location }: Connection): Promise<void> {
  const [row] = await query<{ version: number; oldest: number }>('SELECT version, oldest FROM schema_version')
  if (!row || row.oldest <= schemaVersion) return
  throw new ToolpactError(
    'storage_unavailable',
    `The tables at ${location} have version ${row.version}, and this Toolpact knows version ${schemaVersion}. Update Toolpact.`,
  )
}

async function migrate(query: Query, connection: Connection): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', migrationLock)
  const version = await readVersion(query)
  await requireUsableIfAny(version, query, connection)
  if (version < 1) for (const statement of first) await query(statement)
  if (version < 2) for (const statement of second) await query(statement)
  if (version < 3) for (const statement of third) await query(statement)
  if (version < 4) for (const statement of fourth) await query(statement)
  if (version < schemaVersion)
    await query('UPDATE schema_version SET version = $1, oldest = $2', schemaVersion, oldestUser)
}

async function requireUsableIfAny(version: number, query: Query, connection: Connection) {
  if (version > 0) await requireUsable(query, connection)
}

/** Makes the partitions of this month and the next. Without one, entries go to the default partition. */
export async function makePartitions(connection: Connection, now = new Date()): Promise<void> {
  const months = [0, 1].map((ahead) => toMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))))
  for (const month of months) {
    const name = `ledger_${month}`
    if (await hasTable(connection.query, name)) continue
    await connection.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', migrationLock)
      if (await hasTable(query, name)) return
      await query(`CREATE TABLE ${name} PARTITION OF ledger FOR VALUES FROM (${month}) TO (${month + 1})`)
      for (const statement of toWall(name)) await query(statement)
    })
  }
}

/** Drops partitions of earlier months without entries of any tenant. One that is in use, or that another role owns, stays. */
export async function dropEmptyPartitions({ query }: Connection): Promise<void> {
  for (const { name } of await query<{ name: string }>(findPartitions)) await query(toDrop(name))
}

/**
 * Without `FORCE`, the owner sees the entries of all tenants. The partition is locked then, until it is dropped or has it again.
 * Statements of others wait behind a lock that is waited for, so that must not take long.
 */
function toDrop(name: string): string {
  return `DO $$ BEGIN
    PERFORM set_config('lock_timeout', '500', true);
    ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY;
    IF EXISTS (SELECT 1 FROM ${name}) THEN ALTER TABLE ${name} FORCE ROW LEVEL SECURITY; ELSE DROP TABLE ${name}; END IF;
    EXCEPTION WHEN lock_not_available OR insufficient_privilege OR undefined_table THEN NULL;
  END $$`
}

function toMonth(date: Date): number {
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** The month of the server's clock, such as 202601. */
export const monthNow =
  "(extract(year FROM now() AT TIME ZONE 'UTC') * 100 + extract(month FROM now() AT TIME ZONE 'UTC'))::int"

/** Names are made by `makePartitions`. */
const findPartitions = `
  SELECT own.relname AS name FROM pg_catalog.pg_class AS own JOIN pg_catalog.pg_namespace AS space ON space.oid = own.relnamespace
  WHERE space.nspname = 'toolpact' AND own.relname ~ '^ledger_[0-9]{6}$' AND right(own.relname, 6)::int < ${monthNow}
`

/**
 * `ledger`: entries, in one chain per writer. `ledger_writers`: the head of each chain; a closed one takes no more entries.
 * `ledger_runs`: the order of all chains: entries `n` to `n + count - 1` of a writer are the entries from `seq` on of the
 * ledger. `ledger_ordered`: how far each chain has its place there. `ledger_origins`: the last archived entry of a chain.
 */
const ledgerTables = `
  CREATE TABLE ledger (
    tenant text NOT NULL, writer text NOT NULL, n bigint NOT NULL, month int NOT NULL,
    call_id text NOT NULL, tool text NOT NULL, caller text, at text NOT NULL, text text NOT NULL, hash text NOT NULL,
    PRIMARY KEY (tenant, writer, n, month)
  ) PARTITION BY RANGE (month);
  CREATE INDEX ledger_by_call ON ledger (tenant, call_id text_pattern_ops);
  CREATE TABLE ledger_default PARTITION OF ledger DEFAULT;
  CREATE TABLE ledger_writers (
    tenant text NOT NULL, writer text NOT NULL, n bigint NOT NULL, hash text NOT NULL,
    opened_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now(),
    is_closed boolean NOT NULL DEFAULT false, is_settled boolean NOT NULL DEFAULT false, PRIMARY KEY (tenant, writer)
  ) WITH (fillfactor = 50);
  CREATE INDEX ledger_unsettled ON ledger_writers (tenant) WHERE NOT is_settled;
  CREATE TABLE ledger_ordered (tenant text NOT NULL, writer text NOT NULL, n bigint NOT NULL, PRIMARY KEY (tenant, writer));
  CREATE TABLE ledger_runs (
    tenant text NOT NULL, seq bigint NOT NULL, count bigint NOT NULL, writer text NOT NULL, n bigint NOT NULL,
    month int NOT NULL, PRIMARY KEY (tenant, seq)
  );
  CREATE UNIQUE INDEX ledger_runs_by_writer ON ledger_runs (tenant, writer, n);
  CREATE TABLE ledger_head (tenant text PRIMARY KEY, seq bigint NOT NULL);
  CREATE TABLE ledger_origins (tenant text NOT NULL, writer text NOT NULL, n bigint NOT NULL, hash text NOT NULL, PRIMARY KEY (tenant, writer));
  CREATE TABLE ledger_archives (
    tenant text NOT NULL, first bigint NOT NULL, last bigint NOT NULL, hash text NOT NULL, file text NOT NULL,
    archived_at text NOT NULL, PRIMARY KEY (tenant, first)
  );
  CREATE TABLE ledger_tree (
    tenant text PRIMARY KEY, ledger text NOT NULL, base bigint NOT NULL, size bigint NOT NULL, frontier bytea NOT NULL,
    sealer text NOT NULL DEFAULT '', sealing_until float8 NOT NULL DEFAULT 0
  );
  CREATE TABLE ledger_tiles (
    tenant text NOT NULL, level int NOT NULL, tile bigint NOT NULL, hashes bytea NOT NULL, PRIMARY KEY (tenant, level, tile)
  );
  CREATE TABLE ledger_checkpoints (
    tenant text NOT NULL, size bigint NOT NULL, at float8 NOT NULL, note text NOT NULL, PRIMARY KEY (tenant, size)
  );
  CREATE TABLE received_checkpoints (
    tenant text NOT NULL, origin text NOT NULL, size bigint NOT NULL, at float8 NOT NULL, note text NOT NULL,
    key text NOT NULL, caller text NOT NULL, PRIMARY KEY (tenant, origin, size)
  )
`

/** Counts of calls, made from the entries up to `ledger_counted`. */
const countTables = `
  CREATE TABLE ledger_counted (tenant text PRIMARY KEY, seq bigint NOT NULL);
  CREATE TABLE ledger_open (
    tenant text NOT NULL, call_id text NOT NULL, first bigint NOT NULL, waited_ms float8 NOT NULL, has_failed boolean NOT NULL,
    PRIMARY KEY (tenant, call_id)
  );
  CREATE TABLE ledger_spans (
    tenant text NOT NULL, span int NOT NULL, start bigint NOT NULL, tool text NOT NULL, state text NOT NULL, code text NOT NULL,
    count bigint NOT NULL, violations bigint NOT NULL, durations text NOT NULL,
    PRIMARY KEY (tenant, span, start, tool, state, code)
  );
  CREATE TABLE ledger_tools (
    tenant text NOT NULL, tool text NOT NULL, calls bigint NOT NULL, failed bigint NOT NULL, refused bigint NOT NULL,
    since text NOT NULL, PRIMARY KEY (tenant, tool)
  );
  CREATE TABLE ledger_callers (
    tenant text NOT NULL, tool text NOT NULL, caller text NOT NULL, calls bigint NOT NULL, PRIMARY KEY (tenant, tool, caller)
  )
`

const bindingColumns = `
  tool text NOT NULL, contract_digest text NOT NULL, input_digest text NOT NULL, caller text NOT NULL,
  workspace text NOT NULL, policy_digest text NOT NULL, preview_digest text NOT NULL
`

const queueTables = `
  CREATE TABLE approvals (
    tenant text NOT NULL, id text NOT NULL, ${bindingColumns}, by text NOT NULL, via text, approved_by text NOT NULL,
    expires_at float8 NOT NULL, for_tool boolean NOT NULL, is_over boolean NOT NULL DEFAULT false, PRIMARY KEY (tenant, id)
  );
  CREATE INDEX approvals_by_call ON approvals (tenant, input_digest, caller, tool);
  CREATE INDEX approvals_by_expiry ON approvals (tenant, is_over, expires_at);
  CREATE TABLE questions (
    tenant text NOT NULL, id text NOT NULL, ${bindingColumns}, turn bigint NOT NULL, asked_at float8 NOT NULL,
    expires_at float8 NOT NULL, answer_ms float8 NOT NULL, people_needed int NOT NULL, approved_by text NOT NULL DEFAULT '[]',
    waiter text, waits_until float8 NOT NULL, summary text NOT NULL, bytes bigint NOT NULL, answer text, by text, via text,
    answered_at float8, for_tool boolean NOT NULL DEFAULT false, is_used boolean NOT NULL DEFAULT false,
    is_over boolean NOT NULL DEFAULT false, PRIMARY KEY (tenant, id)
  );
  CREATE INDEX questions_by_call ON questions (tenant, input_digest, caller, tool);
  CREATE INDEX questions_by_expiry ON questions (tenant, is_over, expires_at);
  CREATE INDEX pending_questions ON questions (tenant, caller, bytes) WHERE answer IS NULL AND NOT is_over;
  CREATE TABLE question_details (tenant text NOT NULL, id text NOT NULL, details text NOT NULL, PRIMARY KEY (tenant, id))
`

/** `documents`: what operators decided, a text each. Its version changes with the text; of `queue` it changes with every question. */
const otherTables = `
  CREATE TABLE counters (
    tenant text NOT NULL, key text NOT NULL, uses float8[] NOT NULL, ends_at float8 NOT NULL, wait_ms float8,
    PRIMARY KEY (tenant, key)
  ) WITH (fillfactor = 50);
  CREATE TABLE replies (
    tenant text NOT NULL, key text NOT NULL, input_digest text NOT NULL, expires_at float8 NOT NULL, reply text,
    PRIMARY KEY (tenant, key)
  );
  CREATE INDEX replies_by_expiry ON replies (tenant, expires_at);
  CREATE TABLE evidence (tenant text NOT NULL, call_id text NOT NULL, turn bigint NOT NULL, text text NOT NULL, PRIMARY KEY (tenant, call_id));
  CREATE INDEX evidence_by_turn ON evidence (tenant, turn);
  CREATE TABLE notes (tenant text NOT NULL, key text NOT NULL, value text NOT NULL, PRIMARY KEY (tenant, key));
  CREATE TABLE rule_uses (tenant text NOT NULL, rule text NOT NULL, count bigint NOT NULL, last_used_at float8 NOT NULL, PRIMARY KEY (tenant, rule));
  CREATE TABLE sessions (
    tenant text NOT NULL, id text NOT NULL, workspace text NOT NULL, title text NOT NULL, status text NOT NULL,
    started_at float8 NOT NULL, used_at float8 NOT NULL, turn bigint NOT NULL, PRIMARY KEY (tenant, id)
  );
  CREATE INDEX sessions_by_turn ON sessions (tenant, turn);
  CREATE TABLE session_entries (
    tenant text NOT NULL, session text NOT NULL, seq int NOT NULL, text text NOT NULL, PRIMARY KEY (tenant, session, seq)
  );
  CREATE TABLE session_images (
    tenant text NOT NULL, session text NOT NULL, step int NOT NULL, path text NOT NULL, turn int NOT NULL, before bytea,
    state text NOT NULL, after text, PRIMARY KEY (tenant, session, step, path)
  );
  CREATE TABLE tasks (
    tenant text NOT NULL, id text NOT NULL, caller text NOT NULL, workspace text NOT NULL, tool text NOT NULL,
    state text NOT NULL, created_at float8 NOT NULL, updated_at float8 NOT NULL, expires_at float8 NOT NULL,
    owner text NOT NULL, lease_until float8 NOT NULL, question text, is_error boolean NOT NULL DEFAULT false,
    input_requests text, input_responses text, bytes bigint NOT NULL, PRIMARY KEY (tenant, id)
  );
  CREATE INDEX tasks_by_caller ON tasks (tenant, caller, created_at, id);
  CREATE INDEX tasks_by_expiry ON tasks (tenant, expires_at);
  CREATE INDEX running_tasks ON tasks (tenant, lease_until) WHERE state = 'running';
  CREATE INDEX waiting_tasks ON tasks (tenant, workspace, created_at) WHERE state = 'waiting';
  CREATE TABLE task_texts (
    tenant text NOT NULL, id text NOT NULL, request text NOT NULL, result text, PRIMARY KEY (tenant, id)
  );
  CREATE TABLE sign_ins (
    tenant text NOT NULL, kind text NOT NULL, hash text NOT NULL, turn bigint NOT NULL, about text NOT NULL,
    expires_at float8 NOT NULL, PRIMARY KEY (tenant, kind, hash)
  );
  CREATE TABLE documents (
    tenant text NOT NULL, name text NOT NULL, version bigint NOT NULL, text text NOT NULL, PRIMARY KEY (tenant, name)
  )
`

const tables = [
  ...['ledger', 'ledger_writers', 'ledger_ordered', 'ledger_runs', 'ledger_head', 'ledger_origins', 'ledger_archives'],
  ...['ledger_tree', 'ledger_tiles', 'ledger_checkpoints', 'received_checkpoints'],
  ...['ledger_counted', 'ledger_open', 'ledger_spans', 'ledger_tools', 'ledger_callers'],
  ...['approvals', 'questions', 'question_details', 'counters', 'replies', 'evidence', 'notes', 'rule_uses'],
  ...['sessions', 'session_entries', 'session_images', 'documents', 'tasks', 'task_texts', 'sign_ins'],
]

/** A second wall behind the tenant in every statement. Superusers are exempt from it. */
function toWall(table: string): string[] {
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY own_tenant ON ${table} USING (tenant = current_setting('toolpact.tenant', true))`,
  ]
}

const first = [
  'CREATE SCHEMA IF NOT EXISTS toolpact',
  'CREATE TABLE schema_version (id int PRIMARY KEY CHECK (id = 1), version int NOT NULL, oldest int NOT NULL)',
  'INSERT INTO schema_version VALUES (1, 0, 0)',
  ...[ledgerTables, countTables, queueTables, otherTables].flatMap((text) => text.split(';\n')),
  ...[...tables, 'ledger_default'].flatMap(toWall),
]

/** `place` orders steps that began in the same millisecond. */
const runTables = `
  CREATE TABLE runs (
    tenant text NOT NULL, id text NOT NULL, workflow text NOT NULL, contract_digest text NOT NULL, caller text NOT NULL,
    workspace text NOT NULL, state text NOT NULL, created_at float8 NOT NULL, updated_at float8 NOT NULL,
    expires_at float8 NOT NULL, owner text NOT NULL, epoch int NOT NULL, lease_until float8 NOT NULL, done int NOT NULL,
    total int NOT NULL, PRIMARY KEY (tenant, id)
  ) WITH (fillfactor = 70);
  CREATE INDEX runs_by_time ON runs (tenant, created_at, id);
  CREATE INDEX running_runs ON runs (tenant, workspace) WHERE state = 'running';
  CREATE INDEX waiting_runs ON runs (tenant, workspace) WHERE state = 'waiting';
  CREATE INDEX open_runs ON runs (tenant, caller) WHERE state IN ('running', 'waiting', 'needs_person');
  CREATE INDEX ended_runs ON runs (tenant, expires_at) WHERE state IN ('completed', 'failed', 'cancelled');
  CREATE TABLE run_texts (tenant text NOT NULL, id text NOT NULL, request text NOT NULL, result text, PRIMARY KEY (tenant, id));
  CREATE TABLE run_steps (
    tenant text NOT NULL, run text NOT NULL, key text NOT NULL, state text NOT NULL, started_at float8 NOT NULL,
    ended_at float8, call_id text, question text, wakes_at float8, value text,
    place bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (tenant, run, key)
  );
  CREATE INDEX waiting_steps ON run_steps (tenant, wakes_at) WHERE state = 'waiting';
  CREATE INDEX asking_steps ON run_steps (tenant, question) WHERE state = 'waiting' AND question IS NOT NULL
`

/** Runs of workflows. */
const second = [...runTables.split(';\n'), ...['runs', 'run_texts', 'run_steps'].flatMap(toWall)]

/** Connections to servers. `sealed` is encrypted. */
const third = [
  `CREATE TABLE connections (
    tenant text NOT NULL, owner text NOT NULL, server text NOT NULL, issuer text NOT NULL, sealed text NOT NULL,
    connected_at float8 NOT NULL, renewed_at float8, version bigint NOT NULL, fault text, holder text, lease_until float8,
    PRIMARY KEY (tenant, owner, server)
  )`,
  ...toWall('connections'),
]

const isPending = (row: string) => `${row}.answer IS NULL AND NOT ${row}.is_over`

/**
 * Pending questions and their bytes, in total and per caller. Triggers keep them, so that questions of a replica that knows
 * only version 3 count as well. Whoever changes questions holds the lock of the queue, so replicas never wait for each other here.
 */
const fourth = [
  'CREATE TABLE queue_total (tenant text PRIMARY KEY, questions bigint NOT NULL, bytes bigint NOT NULL) WITH (fillfactor = 50)',
  `CREATE TABLE queue_use (
    tenant text NOT NULL, caller text NOT NULL, questions bigint NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (tenant, caller)
  ) WITH (fillfactor = 50)`,
  `CREATE FUNCTION count_asked_question() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO toolpact.queue_total AS own VALUES (NEW.tenant, 1, NEW.bytes)
      ON CONFLICT (tenant) DO UPDATE SET questions = own.questions + 1, bytes = own.bytes + NEW.bytes;
    INSERT INTO toolpact.queue_use AS own VALUES (NEW.tenant, NEW.caller, 1, NEW.bytes)
      ON CONFLICT (tenant, caller) DO UPDATE SET questions = own.questions + 1, bytes = own.bytes + NEW.bytes;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION count_ended_question() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE toolpact.queue_total SET questions = questions - 1, bytes = bytes - OLD.bytes WHERE tenant = OLD.tenant;
    UPDATE toolpact.queue_use SET questions = questions - 1, bytes = bytes - OLD.bytes
      WHERE tenant = OLD.tenant AND caller = OLD.caller;
    DELETE FROM toolpact.queue_use WHERE tenant = OLD.tenant AND caller = OLD.caller AND questions = 0;
    RETURN NULL;
  END $$`,
  // Locks the questions until the migration is done, and lets it see those of all tenants.
  'ALTER TABLE questions NO FORCE ROW LEVEL SECURITY',
  `CREATE TRIGGER question_asked AFTER INSERT ON questions FOR EACH ROW
    WHEN (${isPending('NEW')}) EXECUTE FUNCTION count_asked_question()`,
  `CREATE TRIGGER question_ended AFTER UPDATE ON questions FOR EACH ROW
    WHEN (${isPending('OLD')} AND NOT (${isPending('NEW')})) EXECUTE FUNCTION count_ended_question()`,
  `CREATE TRIGGER question_deleted AFTER DELETE ON questions FOR EACH ROW
    WHEN (${isPending('OLD')}) EXECUTE FUNCTION count_ended_question()`,
  `INSERT INTO queue_use SELECT tenant, caller, count(*), sum(bytes) FROM questions
    WHERE ${isPending('questions')} GROUP BY tenant, caller`,
  'INSERT INTO queue_total SELECT tenant, sum(questions), sum(bytes) FROM queue_use GROUP BY tenant',
  'ALTER TABLE questions FORCE ROW LEVEL SECURITY',
  ...['queue_total', 'queue_use'].flatMap(toWall),
  // Of the sums that the totals replace.
  'DROP INDEX pending_questions',
]
