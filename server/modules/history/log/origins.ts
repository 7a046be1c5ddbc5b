import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import type { RequestKind } from '../request-kinds.ts';
import { readLogRows } from './rows.ts';
import type { LogRow, LogOrigins } from './rows.ts';
import type { LogScope } from './scope.ts';

/** Rows of an export: those of a page, each with its origin. */
export async function readExportRows(
  reader: Reader,
  ids: readonly string[],
  scope: LogScope,
): Promise<LogRow[]> {
  const rows = await readLogRows(reader, ids, scope);
  const origins = await readOrigins(reader, ids);
  return rows.map((row) => ({
    ...row,
    origins: invariant(origins.get(row.id), `the log lists ${row.id}, which no source has`),
  }));
}

async function readOrigins(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LogOrigins>> {
  const own = REQUEST_KINDS.map(
    (kind) => sql`SELECT ${momentsOf(kind)} FROM ${sql.table(kind.table)} AS request
      WHERE request.id = one.subject_id`,
  );
  const unposted = REQUEST_KINDS.map(
    (kind) => sql`SELECT request.id, NULL, NULL, ${momentsOf(kind)}
       FROM ${sql.table(kind.table)} AS request
      WHERE request.id = ANY (${ids}::uuid[]) AND request.ledger_transaction_id IS NULL`,
  );
  const { rows } = await sql<LogOrigins & { id: string }>`
    SELECT one.id, batch.number || ', ' || batch.name AS batch, batch.pay_period,
           request.reference AS request_reference,
           coalesce(request.requested_at, batch.created_at) AS requested_at,
           coalesce(request.approved_at, batch.approved_at) AS approved_at,
           CASE WHEN batch.id IS NULL THEN request.paid_at ELSE line.processed_at END AS paid_at,
           request.closed_at
      FROM ledger_transaction AS one
      LEFT JOIN payroll_line AS line
             ON line.id = one.subject_id AND one.kind IN ('payroll', 'funding', 'reversal', 'recovery')
      LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
      LEFT JOIN LATERAL (${sql.join(own, sql` UNION ALL `)}) AS request ON true
     WHERE one.id = ANY (${ids}::uuid[])
    UNION ALL ${sql.join(unposted, sql` UNION ALL `)}`.execute(reader);
  return new Map(rows.map(({ id, ...origins }) => [id, origins]));
}

function momentsOf({ moments }: RequestKind): RawBuilder<unknown> {
  return sql`request.reference, request.requested_at, ${moments.approved} AS approved_at,
    ${moments.paid} AS paid_at, ${moments.closed} AS closed_at`;
}
