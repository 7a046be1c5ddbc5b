-- The catalogue's name of what a notification says: where it leads and whether it is mailed follow from
-- it. And a person deletes notifications, which they can undo for a while.
ALTER TABLE notification
  ADD COLUMN kind text NOT NULL DEFAULT '',
  ADD COLUMN deleted_at timestamptz;

-- Until now the title said what it is. One that is not here keeps '', which no catalogue has, and
-- leads to the dashboard.
UPDATE notification SET kind = known.kind
  FROM (VALUES
    ('Deposit Approved', 'deposit-approved'),
    ('Deposit Rejected', 'deposit-rejected'),
    ('Payroll received', 'payroll-received'),
    ('Funding received', 'funding-received'),
    ('Withdrawal Submitted', 'withdrawal-submitted'),
    ('Withdrawal Approved', 'withdrawal-approved'),
    ('Withdrawal Processing', 'withdrawal-processing'),
    ('Withdrawal Completed', 'withdrawal-completed'),
    ('Withdrawal Rejected', 'withdrawal-rejected'),
    ('Withdrawal Stopped', 'withdrawal-stopped'),
    ('Withdrawal Returned', 'withdrawal-returned'),
    ('Payment Sent', 'payment-sent'),
    ('Payment Received', 'payment-received'),
    ('Bill Scheduled', 'bill-scheduled'),
    ('Bill Changed', 'bill-changed'),
    ('Bill Cancelled', 'bill-cancelled'),
    ('Bill Sent', 'bill-sent'),
    ('Bill Paid', 'bill-paid'),
    ('Bill Rejected', 'bill-rejected'),
    ('Bill Returned', 'bill-returned'),
    ('Bank Account Verified', 'bank-account-verified'),
    ('Bank Account Rejected', 'bank-account-rejected'),
    ('Bank account added', 'bank-account-added'),
    ('Bank account changed', 'bank-account-changed'),
    ('Bank account removed', 'bank-account-removed'),
    ('Payee added', 'payee-added'),
    ('Payee changed', 'payee-changed'),
    ('Application Submitted', 'application-submitted'),
    ('Under Review', 'application-under-review'),
    ('Identity approved', 'identity-approved'),
    ('Application rejected', 'application-rejected'),
    ('Changes needed', 'changes-needed'),
    ('Document approved', 'document-approved'),
    ('Document rejected', 'document-rejected'),
    ('Verification complete', 'verification-complete'),
    ('Welcome', 'welcome'),
    ('Two-factor turned on', 'two-factor-on'),
    ('Two-factor turned off', 'two-factor-off'),
    ('Two-factor reset', 'two-factor-reset'),
    ('New recovery codes', 'new-recovery-codes'),
    ('Payouts released', 'payouts-released'),
    ('Payroll Processed Successfully', 'payroll-processed'),
    ('Payroll Processing Failed', 'payroll-failed'),
    ('Funding completed', 'funding-completed'),
    ('Funding Failed', 'funding-failed'),
    ('Books Not Sound', 'books-not-sound'),
    ('Books Sound Again', 'books-sound-again'),
    ('Payroll to approve', 'payroll-to-approve'),
    ('Funding to approve', 'funding-to-approve'),
    ('Deposit to approve', 'deposit-to-approve'),
    ('Withdrawal to approve', 'withdrawal-to-approve'),
    ('Bill to pay', 'bill-to-pay'),
    ('Bank account to verify', 'bank-account-to-verify'),
    ('KYC application to review', 'application-to-review'),
    ('Wallet documents to review', 'documents-to-review'),
    ('Person deactivated', 'person-deactivated'),
    ('Person reactivated', 'person-reactivated'),
    ('Payouts frozen', 'payouts-frozen'),
    ('Administrator deactivated', 'administrator-deactivated'),
    ('Administrator reactivated', 'administrator-reactivated'),
    ('Administrator removed', 'administrator-removed'),
    ('Administrator invited', 'administrator-invited'),
    ('New administrator', 'new-administrator'),
    ('Security rules changed', 'security-rules-changed'),
    ('Security rules: a change waits', 'security-change-waits')
  ) AS known (title, kind)
 WHERE notification.title = known.title;

ALTER TABLE notification ALTER COLUMN kind DROP DEFAULT;
SELECT guard_facts('notification', ARRAY['read_at', 'deleted_at']);

DROP INDEX notification_unread;
CREATE INDEX notification_unread ON notification (user_id)
  WHERE read_at IS NULL AND deleted_at IS NULL;
-- What is deleted stays for the undo, and is swept by its time.
CREATE INDEX notification_deleted ON notification (deleted_at) WHERE deleted_at IS NOT NULL;
