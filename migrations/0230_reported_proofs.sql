-- A number whose proof failed in a person's browser, reported to the admins as a question with what was found.
ALTER TABLE question
  ADD COLUMN finding_check text CHECK (finding_check IN ('sum', 'content', 'chain', 'signature')),
  ADD COLUMN finding_block bigint CHECK (finding_block >= 0),
  ADD COLUMN finding_root  text CHECK (finding_root ~ '^[0-9a-f]{64}$'),
  ADD CHECK (finding_check IS NOT NULL OR (finding_block IS NULL AND finding_root IS NULL));
-- A question that waits for its answer keeps nobody from reporting, nor the other way round.
DROP INDEX question_waiting_once;
CREATE UNIQUE INDEX question_waiting_once ON question (user_id, event_id, (finding_check IS NOT NULL))
  WHERE answered_at IS NULL;
SELECT guard_facts('question', ARRAY['answer', 'answered_by', 'answered_at']);
