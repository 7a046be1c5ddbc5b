-- Which deposit methods the company offers, and its own words with their instructions.
ALTER TABLE company_settings
  ADD COLUMN offers_ach             boolean NOT NULL DEFAULT true,
  ADD COLUMN offers_wire            boolean NOT NULL DEFAULT true,
  ADD COLUMN offers_card            boolean NOT NULL DEFAULT true,
  ADD COLUMN offers_mobile_check    boolean NOT NULL DEFAULT true,
  ADD COLUMN offers_physical_check  boolean NOT NULL DEFAULT true,
  ADD COLUMN offers_secure_transfer boolean NOT NULL DEFAULT true,
  ADD COLUMN deposit_note           text CHECK (deposit_note <> '' AND length(deposit_note) <= 300);
-- They change, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (offers_ach, offers_wire, offers_card, offers_mobile_check, offers_physical_check,
  offers_secure_transfer, deposit_note)
  ON company_settings TO purser_app;
