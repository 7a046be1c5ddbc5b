-- A payee whom the bank sent a bill back from: no other bill goes there until its owner confirms or edits
-- it. An edited payee is another row, which has no mark.
ALTER TABLE payee
  ADD COLUMN returned_bill_id uuid REFERENCES bill,
  ADD CONSTRAINT payee_returned CHECK (returned_bill_id IS NULL OR kind <> 'colleague');
-- It changes, so the trigger of guard_facts (0045), which names what stays, needs no change.
GRANT UPDATE (returned_bill_id) ON payee TO purser_app;
