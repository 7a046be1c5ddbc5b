-- A draft pays one type of wallet. A payroll of several types is a draft with a part for each further type: they have
-- the pay date, the department and the description in common, and are reviewed and sent together.
ALTER TABLE payroll_draft
  -- The draft that it is a part of; null: it is none.
  ADD COLUMN part_of uuid REFERENCES payroll_draft,
  ADD CONSTRAINT payroll_draft_part_of_another CHECK (part_of <> id);
CREATE UNIQUE INDEX payroll_draft_parts ON payroll_draft (part_of, wallet_type)
  WHERE part_of IS NOT NULL AND status <> 'discarded';
SELECT guard_facts('payroll_draft', ARRAY['status', 'name', 'wallet_type', 'department', 'pay_on', 'description',
  'has_own_amounts', 'amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at', 'sent_batch_id',
  'amounts_by']);

ALTER TABLE payroll_batch
  -- The first of the batches that one confirmation made, and what they pay together. Limits and the rule about a second
  -- person count that sum. Null: it was confirmed alone.
  ADD COLUMN together_id uuid REFERENCES payroll_batch,
  ADD COLUMN together_minor bigint,
  ADD CONSTRAINT payroll_batch_together CHECK (
    (together_id IS NULL) = (together_minor IS NULL) AND (together_minor IS NULL OR together_minor >= total_minor));
CREATE INDEX payroll_batch_of_together ON payroll_batch (together_id) WHERE together_id IS NOT NULL;
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor',
  'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone',
  'decline_reason', 'post_after', 'discarded_at', 'reversed_count', 'reversed_minor']);
