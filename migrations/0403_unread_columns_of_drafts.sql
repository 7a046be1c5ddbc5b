-- Who changed the amount of one person last was written and never read: who changed the draft last is what a stale
-- save says (payroll_draft.changed_by).
ALTER TABLE payroll_draft_person DROP COLUMN changed_by;
SELECT guard_facts('payroll_draft_person', ARRAY['amount_minor', 'version']);
