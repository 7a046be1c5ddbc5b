import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { applicantList } from '#contract/lists.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';

type Applicant = RouteReply<'adminListApplicants'>['items'][number];

const OLDEST = ascending(key(sql`app_user.created_at`, 'instant'), key(sql`app_user.id`, 'uuid'));

/** People who signed up and wait to be accepted. */
export const applicants = readsList(applicantList, {
  from: () => [sql`app_user`],
  id: sql`app_user.id`,
  within: () =>
    sql`app_user.role = 'employee' AND app_user.accepted_at IS NULL
        AND app_user.deactivated_at IS NULL`,
  where: {},
  search: { person: 'app_user.id' },
  segments: () => [{ order: OLDEST }],
  rows: readRows,
  present,
});

function readRows(reader: Reader, ids: readonly string[]) {
  return reader
    .selectFrom('appUser')
    .modifyFront(prepared)
    .select(['id', 'name', 'email', 'department', 'emailVerified', 'createdAt'])
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute();
}

function present(row: Awaited<ReturnType<typeof readRows>>[number]): Applicant {
  const { id, name, email } = row;
  return {
    id,
    name,
    email,
    department: row.department,
    emailConfirmed: row.emailVerified,
    appliedAt: row.createdAt.toISOString(),
  };
}
