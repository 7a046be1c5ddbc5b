-- A declined payroll names who declined it, when and why. A payroll that waited when the rule about two
-- people was switched off may be approved by its sender, which the row says.
ALTER TABLE payroll_batch
  ADD COLUMN declined_by uuid REFERENCES app_user,
  ADD COLUMN declined_at timestamptz,
  ADD COLUMN decline_reason text,
  ADD COLUMN approved_alone boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT payroll_batch_declined CHECK (
    (declined_by IS NULL) = (declined_at IS NULL)
    AND (declined_by IS NULL) = (decline_reason IS NULL)
    AND (declined_by IS NULL OR (status = 'draft' AND approved_by IS NULL))),
  DROP CONSTRAINT payroll_batch_approver,
  ADD CONSTRAINT payroll_batch_approver CHECK (coalesce(approved_by = created_by, false) = approved_alone);

-- The new columns may change, besides those that could before.
SELECT guard_facts('payroll_batch', ARRAY(
  SELECT attname::text FROM pg_attribute
   WHERE attrelid = 'payroll_batch'::regclass AND attnum > 0 AND NOT attisdropped
     AND attnum <> ALL (SELECT unnest(tgattr::int2[]) FROM pg_trigger
                         WHERE tgrelid = 'payroll_batch'::regclass
                           AND tgname = 'payroll_batch_facts')));

-- Until when a person is nobody's second person: they became an administrator by an invite, were let in
-- again, or had a credential reset.
CREATE TABLE second_person_wait (
  user_id uuid PRIMARY KEY REFERENCES app_user,
  until   timestamptz NOT NULL
);
CREATE INDEX second_person_wait_until ON second_person_wait (until);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_person_wait TO purser_app;
SELECT guard_facts('second_person_wait', ARRAY['until']);

INSERT INTO second_person_wait (user_id, until)
SELECT redeemed_by, max(redeemed_at) + interval '72 hours' FROM admin_invite
 WHERE redeemed_by IS NOT NULL AND created_by IS NOT NULL
   AND redeemed_at > now() - interval '72 hours'
 GROUP BY redeemed_by;

-- Duties that are in force. One comes into force when two people can fulfil it, and stays in force
-- whoever leaves, until it is switched off.
CREATE TABLE duty_in_force (
  duty  text PRIMARY KEY CHECK (duty IN ('payroll', 'bankAccount', 'payout', 'return')),
  since timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE ON duty_in_force TO purser_app;

INSERT INTO duty_in_force (duty, since)
SELECT duty, now() FROM company_settings, LATERAL (VALUES
  ('payroll', separate_payroll_minor), ('bankAccount', separate_bank_account_minor),
  ('payout', separate_payout_minor), ('return', separate_return_minor)) AS known (duty, least)
 WHERE least IS NOT NULL;
