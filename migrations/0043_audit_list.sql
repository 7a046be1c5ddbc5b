-- The audit page: its orders are those of the identity, which grows with time. By kind of thing, by who
-- is not an employee (most rows are employees'), and the day from which or up to which it is read.
CREATE INDEX audit_event_thing ON audit_event (subject_type, id);
CREATE INDEX audit_event_role ON audit_event (actor_role, id) WHERE actor_role <> 'employee';
CREATE INDEX audit_event_at ON audit_event (at);
