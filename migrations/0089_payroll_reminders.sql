-- That administrators were reminded of a payday: once each, whichever process is first.
CREATE TABLE payroll_reminder (
  due_on      date PRIMARY KEY,
  reminded_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON payroll_reminder TO purser_app;
