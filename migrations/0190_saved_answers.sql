-- Names of the answers that were saved since the last record of the audit trail about this application.
-- Each save of the wizard is no record of its own (docs/decisions/042).
ALTER TABLE kyc_application ADD COLUMN unrecorded_fields text[] NOT NULL DEFAULT '{}';
GRANT UPDATE (unrecorded_fields) ON kyc_application TO purser_app;
