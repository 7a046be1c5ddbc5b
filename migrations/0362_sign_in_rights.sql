-- Passwords, apps and passkeys belong to one person for good: the columns that no command changes cannot be updated, as in all
-- other tables of facts. A passkey keeps its key, and no row moves to another person.
SELECT guard_facts(guarded.name, guarded.changing) FROM (VALUES
  ('auth_account', ARRAY['password', 'updated_at']),
  ('auth_two_factor', ARRAY['secret', 'backup_codes', 'verified_at', 'last_used_at']),
  ('auth_passkey', ARRAY['name', 'counter', 'last_used_at'])
) AS guarded (name, changing);
