-- Ids of payroll lines in the order of their creation, as all other ids are (UUID version 7, RFC 9562). A payroll of a million
-- people writes each of them into two indexes, of its lines and of their notifications: at the end of the index, and not
-- into a page of it for each (docs/decisions/085). PostgreSQL has uuidv7() since version 18.
CREATE FUNCTION time_ordered_uuid() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN encode(set_bit(set_bit(
  overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
  52, 1), 53, 1), 'hex')::uuid;
ALTER TABLE payroll_line ALTER COLUMN id SET DEFAULT time_ordered_uuid();
