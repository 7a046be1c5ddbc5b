-- The audit trail records how a person signs in as hashes, with each event that changes it, so that a verification
-- finds a password, second factor, passkey or address that nobody set (docs/ledger.md). The values themselves are
-- secrets, or can be erased.

-- Random, so that nobody guesses the address from its hash. Whoever erases the address erases this as well.
ALTER TABLE app_user ADD COLUMN address_salt uuid NOT NULL DEFAULT gen_random_uuid();
SELECT guard_facts('app_user', ARRAY['email_verified', 'role', 'employee_number', 'last_login_at', 'deactivated_at',
  'updated_at', 'accepted_at', 'standing_reason', 'password_reset_at', 'payouts_frozen_at', 'two_factor_enabled',
  'department', 'position', 'name', 'first_name', 'last_name', 'email', 'email_set_by', 'is_also_employee']);

-- SHA-256 as hex, under the names that the details of an event have for them. Nothing can be guessed from them: a
-- password rests as argon2id with a random salt, the secret of an app encrypted under a random nonce, and the key of a
-- passkey is random. Names are qualified in place of SET search_path, which costs each call as much as the hashes.
CREATE FUNCTION sign_in_hashes(p_user_id uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(fact.name, encode(sha256(convert_to(fact.kept::text, 'UTF8')), 'hex')), '{}')
    FROM public.app_user AS person
    LEFT JOIN public.auth_account AS account ON account.user_id = person.id
    LEFT JOIN public.auth_two_factor AS app ON app.user_id = person.id
   CROSS JOIN LATERAL (VALUES
     ('addressHash', jsonb_build_array(person.email, person.address_salt)),
     ('passwordHash', jsonb_build_array(account.password)),
     ('secondFactorHash', jsonb_build_array(person.two_factor_enabled, app.secret, app.backup_codes)),
     ('passkeysHash', (SELECT coalesce(jsonb_agg(jsonb_build_array(passkey.credential_id, passkey.public_key)
                                        ORDER BY passkey.credential_id COLLATE "C"), '[]')
                         FROM public.auth_passkey AS passkey WHERE passkey.user_id = person.id))
   ) AS fact (name, kept)
   WHERE person.id = p_user_id
$$;
REVOKE ALL ON FUNCTION sign_in_hashes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sign_in_hashes TO purser_app;

-- People who are here already are recorded once.
INSERT INTO audit_event (actor_role, action, subject_type, subject_id, person_id, details)
SELECT 'system', 'sign_in.recorded', 'user', id, id, sign_in_hashes(id) FROM app_user;
