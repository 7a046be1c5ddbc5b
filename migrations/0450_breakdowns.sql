-- A payroll provider's breakdown of net pay, as a file of amounts has it: gross pay, and what is deducted from it.
-- Purser computes none of it. The payslip shows it.

-- Net pay of a breakdown in minor units: its first part, gross pay, less all others. A part is a name and its amount in
-- minor units: '[["Gross pay", "391000"], ["Federal tax", "93750"]]'.
CREATE FUNCTION breakdown_net(p_breakdown jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT sum(CASE part.place WHEN 1 THEN 1 ELSE -1 END * (part.one ->> 1)::bigint)::bigint
    FROM jsonb_array_elements(p_breakdown) WITH ORDINALITY AS part (one, place));

-- In a draft it stays where the amount is typed over, and counts while its net pay is the amount.
ALTER TABLE payroll_draft_person ADD COLUMN breakdown jsonb;
SELECT guard_facts('payroll_draft_person', ARRAY['amount_minor', 'version', 'breakdown']);

ALTER TABLE payroll_line
  ADD COLUMN breakdown jsonb,
  ADD CONSTRAINT payroll_line_breakdown CHECK (
    breakdown IS NULL OR breakdown_net(breakdown) IS NOT DISTINCT FROM amount_minor);
SELECT guard_facts('payroll_line', ARRAY['status', 'reason', 'ledger_transaction_id', 'processed_at',
  'reversed_minor']);
