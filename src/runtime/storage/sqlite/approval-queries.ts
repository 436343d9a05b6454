/** SQL of approvals and their queue. Binding values are in the order of `bindingParts`. */

const bindingColumns = 'tool, contract_digest, input_digest, caller, workspace, policy_digest, preview_digest'
const binding = `
  tool, contract_digest AS contractDigest, input_digest AS inputDigest, caller, workspace,
  policy_digest AS policyDigest, preview_digest AS previewDigest
`
const isBinding = `
  tool = ? AND contract_digest = ? AND input_digest = ? AND caller = ? AND workspace = ?
  AND policy_digest = ? AND preview_digest = ?
`
const isCall = 'input_digest = ? AND caller = ? AND tool = ?'
const isPending = 'answer IS NULL AND is_over = 0'
const state = 'expires_at AS expiresAt, answer, by, is_used AS isUsed, is_over AS isOver'
const people = 'approved_by AS approvedBy, people_needed AS peopleNeeded'
const question = `id, ${binding}, asked_at AS askedAt, summary, bytes, waiter, waits_until AS waitsUntil, ${people}, ${state}`

export const insertApproval = `
  INSERT OR IGNORE INTO approvals (id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

export const takeApproval = `
  DELETE FROM approvals WHERE id = ? AND ${isBinding} AND is_over = 0
  RETURNING by, via, approved_by AS approvedBy, expires_at AS expiresAt, for_tool AS forTool
`

export const findApproval = `SELECT ${binding}, is_over AS isOver FROM approvals WHERE id = ?`

/** The newest yes for a tool and input. */
export const findGiven = `
  SELECT ${binding}, is_over AS isOver FROM approvals WHERE ${isCall} ORDER BY expires_at DESC LIMIT 1
`

export const endApprovals = 'UPDATE approvals SET is_over = 1 WHERE is_over = 0 AND expires_at <= ?'

export const insertQuestion = `
  INSERT OR IGNORE INTO questions
  (id, ${bindingColumns}, asked_at, expires_at, answer_ms, people_needed, waiter, waits_until, summary, bytes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

export const insertDetails = 'INSERT INTO question_details (id, details) VALUES (?, ?)'

export const findOwn = `
  SELECT id, answer, by, via, approved_by AS approvedBy, for_tool AS forTool, expires_at AS expiresAt,
  max(0, coalesce(answered_at, asked_at) - asked_at) AS waitedMs FROM questions
  WHERE ${isBinding} AND expires_at > ? AND is_used = 0 AND is_over = 0
  ORDER BY answer IS NULL, asked_at DESC, rowid DESC
`

/** Questions that no call waits for. */
export const findPending = `
  SELECT id, ${binding} FROM questions WHERE ${isCall} AND ${isPending} AND waits_until <= ?
`

export const findQuestion = `SELECT ${question} FROM questions WHERE id = ?`
export const listQuestions = `SELECT ${question} FROM questions ORDER BY asked_at, rowid`

/** Polled several times a second while a call waits. */
export const findState = `SELECT ${state} FROM questions WHERE id = ?`

/** Triggers keep both, since a sum over thousands of questions would take longer than to ask one. */
export const usedByCaller = 'SELECT questions, bytes FROM queue_use WHERE caller = ?'
export const usedInTotal = 'SELECT pending AS questions, bytes FROM queue_version'

export const replaceWaiter = 'UPDATE questions SET waiter = ?, waits_until = ? WHERE id = ?'
export const markUsed = 'UPDATE questions SET is_used = 1 WHERE id = ?'

export const keepAnswer = `
  UPDATE questions SET answer = ?1, by = ?2, via = ?3, for_tool = ?4, answered_at = ?5,
  expires_at = max(expires_at, ?5 + answer_ms), summary = '{}' WHERE id = ?6
`

export const findYeses = `
  SELECT ${people}, expires_at AS expiresAt, waits_until AS waitsUntil FROM questions WHERE id = ?
`
export const keepPeople = 'UPDATE questions SET approved_by = ? WHERE id = ?'

export const grantAnswered = `
  INSERT OR IGNORE INTO approvals (id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool)
  SELECT id, ${bindingColumns}, by, via, approved_by, expires_at, for_tool FROM questions WHERE id = ?
`

export const extension = `
  UPDATE questions SET waiter = ?, waits_until = ?, expires_at = max(expires_at, ?)
  WHERE id = ? AND ${isPending} AND expires_at > ? AND (waiter IS NULL OR waiter = ?)
`

export const endQuestion = "UPDATE questions SET is_over = 1, expires_at = ?, summary = '{}' WHERE id = ?"
export const endQuestions = "UPDATE questions SET is_over = 1, summary = '{}' WHERE is_over = 0 AND expires_at <= ?"
export const forgetDetails = 'DELETE FROM question_details WHERE id = ?'
export const forgetExpiredDetails = `
  DELETE FROM question_details WHERE id IN (SELECT id FROM questions WHERE is_over = 0 AND expires_at <= ?)
`
