/** SQL of approvals and their queue. `$1` is the tenant; binding values are in the order of `bindingParts`. */

const bindingColumns = 'tool, contract_digest, input_digest, caller, workspace, policy_digest, preview_digest'
const binding = `
  tool, contract_digest AS "contractDigest", input_digest AS "inputDigest", caller, workspace,
  policy_digest AS "policyDigest", preview_digest AS "previewDigest"
`
/** The binding from the given parameter on. */
function isBinding(from: number): string {
  const columns = bindingColumns.split(', ')
  return columns.map((column, index) => `${column} = $${from + index}`).join(' AND ')
}
const isCall = 'tenant = $1 AND input_digest = $2 AND caller = $3 AND tool = $4'
const isPending = 'answer IS NULL AND NOT is_over'
const isOne = 'tenant = $1 AND id = $2'
const state = 'expires_at AS "expiresAt", answer, by, is_used AS "isUsed", is_over AS "isOver"'
const people = 'approved_by AS "approvedBy", people_needed AS "peopleNeeded"'
const waiting = 'waiter, waits_until AS "waitsUntil"'
const question = `id, ${binding}, asked_at AS "askedAt", summary, bytes, ${waiting}, ${people}, ${state}`

export const insertApproval = `
  INSERT INTO approvals (tenant, id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING RETURNING true AS added
`

export const takeApproval = `
  DELETE FROM approvals WHERE ${isOne} AND ${isBinding(3)} AND NOT is_over
  RETURNING by, via, approved_by AS "approvedBy", expires_at AS "expiresAt", for_tool AS "forTool"
`

export const findApproval = `SELECT ${binding}, is_over AS "isOver" FROM approvals WHERE ${isOne}`

/** The newest yes for a tool and input. */
export const findGiven = `
  SELECT ${binding}, is_over AS "isOver" FROM approvals WHERE ${isCall} ORDER BY expires_at DESC LIMIT 1
`

/** Whether anything is known about a call: most calls ask for the first time. */
export const isKnown = `
  SELECT EXISTS (SELECT 1 FROM questions WHERE ${isCall}) OR EXISTS (SELECT 1 FROM approvals WHERE ${isCall}) AS known
`

export const insertQuestion = `
  INSERT INTO questions
  (tenant, id, ${bindingColumns}, turn, asked_at, expires_at, answer_ms, people_needed, waiter, waits_until, summary, bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
  ON CONFLICT DO NOTHING RETURNING true AS added
`

export const insertDetails = 'INSERT INTO question_details (tenant, id, details) VALUES ($1, $2, $3)'
export const findDetails = `SELECT details FROM question_details WHERE ${isOne}`

export const findOwn = `
  SELECT id, answer, by, via, approved_by AS "approvedBy", for_tool AS "forTool", expires_at AS "expiresAt",
  greatest(0, coalesce(answered_at, asked_at) - asked_at) AS "waitedMs" FROM questions
  WHERE tenant = $1 AND ${isBinding(2)} AND expires_at > $9 AND NOT is_used AND NOT is_over
  ORDER BY answer IS NULL, asked_at DESC, turn DESC
`

/** Questions that no call waits for. */
export const findPending = `SELECT id, ${binding} FROM questions WHERE ${isCall} AND ${isPending} AND waits_until <= $5`

export const findQuestion = `SELECT ${question} FROM questions WHERE ${isOne}`
export const listQuestions = `SELECT ${question} FROM questions WHERE tenant = $1 ORDER BY asked_at, turn`

/** Polled several times a second while a call waits. */
export const findState = `SELECT ${state} FROM questions WHERE ${isOne}`

/** Triggers keep both: see schema.ts. */
export const findUsed = `
  SELECT coalesce(total.questions, 0) AS questions, coalesce(total.bytes, 0) AS bytes,
  coalesce(own.questions, 0) AS "ofCaller", coalesce(own.bytes, 0) AS "bytesOfCaller"
  FROM (SELECT $1 AS tenant) AS one LEFT JOIN queue_total AS total USING (tenant)
  LEFT JOIN queue_use AS own ON own.tenant = one.tenant AND own.caller = $2
`

export const replaceWaiter = `UPDATE questions SET waiter = $3, waits_until = $4 WHERE ${isOne}`
export const markUsed = `UPDATE questions SET is_used = true WHERE ${isOne} AND NOT is_used RETURNING true AS changed`

export const keepAnswer = `
  UPDATE questions SET answer = $3, by = $4, via = $5, for_tool = $6, answered_at = $7,
  expires_at = greatest(expires_at, $7::float8 + answer_ms), summary = '{}' WHERE ${isOne} RETURNING expires_at AS "expiresAt"
`

export const findYeses = `
  SELECT ${people}, expires_at AS "expiresAt", waits_until AS "waitsUntil" FROM questions WHERE ${isOne}
`
export const keepPeople = `UPDATE questions SET approved_by = $3 WHERE ${isOne}`

export const grantAnswered = `
  INSERT INTO approvals (tenant, id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool)
  SELECT tenant, id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool FROM questions WHERE ${isOne}
  ON CONFLICT DO NOTHING
`

export const extension = `
  UPDATE questions SET waiter = $3, waits_until = $4, expires_at = greatest(expires_at, $4::float8)
  WHERE ${isOne} AND ${isPending} AND expires_at > $5 AND (waiter IS NULL OR waiter = $3)
`
export const isWaitedByOther = `SELECT 1 FROM questions WHERE ${isOne} AND waiter <> $3`

export const endQuestion = `UPDATE questions SET is_over = true, expires_at = $3, summary = '{}' WHERE ${isOne}`
export const forgetDetails = `DELETE FROM question_details WHERE ${isOne}`
export const forgetApproval = `DELETE FROM approvals WHERE ${isOne}`

const isExpired = 'tenant = $1 AND NOT is_over AND expires_at <= $2'
const isOld = 'tenant = $1 AND is_over AND expires_at <= $3'

/** `$2` is now, `$3` the time before which ended ones are forgotten. */
export const hasExpired = `
  SELECT EXISTS (SELECT 1 FROM questions WHERE ${isExpired}) OR EXISTS (SELECT 1 FROM approvals WHERE ${isExpired})
  OR EXISTS (SELECT 1 FROM questions WHERE ${isOld}) OR EXISTS (SELECT 1 FROM approvals WHERE ${isOld}) AS expired
`
export const endApprovals = `UPDATE approvals SET is_over = true WHERE ${isExpired}`
export const forgetExpiredDetails = `
  DELETE FROM question_details WHERE tenant = $1 AND id IN (SELECT id FROM questions WHERE ${isExpired})
`
export const endQuestions = `UPDATE questions SET is_over = true, summary = '{}' WHERE ${isExpired}`
export const forgetQuestions = 'DELETE FROM questions WHERE tenant = $1 AND is_over AND expires_at <= $2'
export const forgetApprovals = 'DELETE FROM approvals WHERE tenant = $1 AND is_over AND expires_at <= $2'

/** Its row is locked while the queue changes: limits of pending questions are counted over all of them. */
export const lockQueue = "SELECT version FROM documents WHERE tenant = $1 AND name = 'queue' FOR UPDATE"
export const noteChange =
  "UPDATE documents SET version = version + 1 WHERE tenant = $1 AND name = 'queue' RETURNING version"
