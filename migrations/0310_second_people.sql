-- Events after which a person is nobody's second person for some hours: they became an administrator by an invite, were
-- reactivated, or had a password, address or second factor reset. One row an event, with the person who caused it,
-- because whoever invites or resets somebody is the same person as them for that time. The hours are a setting.
DROP TABLE second_person_wait;
CREATE TABLE second_person_wait (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id   uuid NOT NULL REFERENCES app_user,
  since     timestamptz NOT NULL,
  -- Null: the person themselves, by mail.
  caused_by uuid REFERENCES app_user,
  CONSTRAINT second_person_wait_cause CHECK (caused_by <> user_id)
);
CREATE INDEX second_person_wait_user ON second_person_wait (user_id, since);
CREATE INDEX second_person_wait_since ON second_person_wait (since);
GRANT SELECT, INSERT, DELETE, UPDATE ON second_person_wait TO purser_app;
-- The sweep locks the rows that it deletes, which takes the right to update one column.
SELECT guard_facts('second_person_wait', ARRAY['since']);

-- The audit trail has who waits now.
INSERT INTO second_person_wait (user_id, since, caused_by)
SELECT event.person_id, event.at,
       CASE WHEN event.action = 'invite.redeemed' THEN invite.created_by
            WHEN event.actor_id <> event.person_id THEN event.actor_id END
  FROM audit_event AS event
  LEFT JOIN admin_invite AS invite
    ON event.action = 'invite.redeemed' AND invite.id = event.subject_id
 WHERE event.at > now() - interval '72 hours'
   AND event.person_id IS NOT NULL
   AND (event.action IN ('person.reactivated', 'two_factor.reset', 'email.set', 'email.changed', 'password.reset')
        OR (event.action = 'invite.redeemed' AND invite.created_by IS NOT NULL))
   AND EXISTS (SELECT FROM app_user WHERE id = event.person_id);

ALTER TABLE company_settings
  ADD COLUMN second_person_hours integer NOT NULL DEFAULT 72
  CONSTRAINT company_settings_second_person_hours CHECK (second_person_hours BETWEEN 24 AND 720);
GRANT UPDATE (second_person_hours) ON company_settings TO purser_app;
