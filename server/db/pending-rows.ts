import { CompiledQuery } from 'kysely';
import type { Tx } from './tx.ts';

/** The rows that a change leaves beside its own: written in one statement with the COMMIT. */
interface PendingRows {
  audits: {
    actor_id: string | null;
    actor_role: string;
    action: string;
    subject_type: string;
    subject_id: string | null;
    person_id: string | null;
    details: object;
    request_id: string | null;
  }[];
  /** Where the requests of `audits` came from, by their id. */
  origins: Map<
    string,
    { request_id: string; ip_address: string | null; user_agent: string | null }
  >;
  notifications: ({ id: string; user_id: string } & NotificationText)[];
  /** One for every admin. */
  adminNotifications: NotificationText[];
  outbox: {
    kind: 'event' | 'mail' | 'job';
    topic: string;
    user_id: string | null;
    payload: object;
  }[];
  /** To be kept with the key that was claimed before; JSON in `reply`. */
  reply: { principalId: string; key: string; status: number; reply: string } | null;
}

export interface NotificationText {
  type: string;
  title: string;
  message: string;
  related_id: string | null;
  created_at: Date;
}

const pending = new WeakMap<Tx, PendingRows>();

/**
 * The rows that wait for a transaction's COMMIT: to be added to. They do not show in the
 * transaction itself, and are gone with it when it is rolled back.
 */
export function pendingRows(tx: Tx): PendingRows {
  const known = pending.get(tx);
  if (known !== undefined) return known;
  const rows: PendingRows = {
    audits: [],
    origins: new Map(),
    notifications: [],
    adminNotifications: [],
    outbox: [],
    reply: null,
  };
  pending.set(tx, rows);
  return rows;
}

/** Notes what waits now. Calling the answer drops whatever has been added since. */
export function rememberPending(tx: Tx): () => void {
  const rows = pendingRows(tx);
  const now: PendingRows = {
    audits: [...rows.audits],
    origins: new Map(rows.origins),
    notifications: [...rows.notifications],
    adminNotifications: [...rows.adminNotifications],
    outbox: [...rows.outbox],
    reply: rows.reply,
  };
  return () => void Object.assign(rows, now);
}

/** The statement that writes what waits; null when nothing does. */
export function writePending(tx: Tx): CompiledQuery | null {
  const rows = pending.get(tx);
  if (rows === undefined) return null;
  return CompiledQuery.raw(WRITE, [
    JSON.stringify(rows.audits),
    JSON.stringify([...rows.origins.values()]),
    JSON.stringify(rows.notifications),
    JSON.stringify(rows.adminNotifications),
    JSON.stringify(rows.outbox),
    rows.reply?.principalId ?? null,
    rows.reply?.key ?? null,
    rows.reply?.status ?? null,
    rows.reply?.reply ?? null,
  ]);
}

/** One text whatever waits, so that it is planned once. */
const WRITE = `
  WITH audit AS (
    INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id, person_id,
                             details, request_id)
    SELECT * FROM json_to_recordset($1::json)
      AS one (actor_id uuid, actor_role text, action text, subject_type text, subject_id uuid,
              person_id uuid, details jsonb, request_id text)
    RETURNING id, request_id
  ), origin AS (
    INSERT INTO audit_origin (audit_event_id, ip_address, user_agent)
    SELECT audit.id, one.ip_address, one.user_agent
      FROM audit JOIN json_to_recordset($2::json)
        AS one (request_id text, ip_address text, user_agent text) USING (request_id)
  ), notified AS (
    INSERT INTO notification (id, user_id, type, title, message, related_id, created_at)
    SELECT * FROM json_to_recordset($3::json)
      AS one (id uuid, user_id uuid, type text, title text, message text, related_id uuid,
              created_at timestamptz)
  ), notified_admins AS (
    INSERT INTO notification (id, user_id, type, title, message, related_id, created_at)
    SELECT gen_random_uuid(), admin.id, one.*
      FROM json_to_recordset($4::json)
        AS one (type text, title text, message text, related_id uuid, created_at timestamptz)
      JOIN app_user AS admin ON admin.role = 'admin' AND admin.deactivated_at IS NULL
  ), replied AS (
    UPDATE idempotency_key SET status = $8, reply = $9 WHERE principal_id = $6 AND key = $7
  )
  INSERT INTO outbox (kind, topic, user_id, payload)
  SELECT * FROM json_to_recordset($5::json)
    AS one (kind text, topic text, user_id uuid, payload jsonb)`;
