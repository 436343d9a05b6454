/** SQL that makes a state file as version 20 left it, from which earlier ones can be made. */
export const toVersion20 = `
  DROP TRIGGER question_asked; DROP TRIGGER question_ended; DROP TRIGGER pending_question_deleted;
  DROP TRIGGER blocks_grouped; DROP TRIGGER block_deleted; DROP TABLE queue_use; DROP TABLE ledger_tool_blocks;
  ALTER TABLE queue_version DROP COLUMN pending; ALTER TABLE queue_version DROP COLUMN bytes;
  CREATE TRIGGER question_asked AFTER INSERT ON questions BEGIN UPDATE queue_version SET version = version + 1; END;
  CREATE INDEX pending_questions ON questions (caller, bytes) WHERE answer IS NULL AND is_over = 0;
  PRAGMA user_version = 20;
`
