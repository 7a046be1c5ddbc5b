import { sql } from 'kysely';
import type { UsualPayImport } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { confirmUsualPayFile } from '#server/modules/usual-pay/confirm-file.ts';
import { findImport, presentImport } from '#server/modules/usual-pay/file-import.ts';
import { uploadUsualPayFile } from '#server/modules/usual-pay/upload-file.ts';
import type { Services } from '#server/services.ts';
import { openTestDb } from '../open-db.ts';
import type { TestDb } from '../open-db.ts';
import { bodyOf } from './files.ts';
import { createAdmin } from './people.ts';
import type { TestPerson } from './people.ts';

/** A company with a payday every other Friday from 2026-11-27 on, and two administrators. */
export async function openPayCompany(
  services: Services,
): Promise<{ company: TestDb; renee: TestPerson; theo: TestPerson }> {
  const company = await openTestDb();
  const { db } = company;
  const renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  const theo = await createAdmin(db, services, { firstName: 'Theo', lastName: 'Marchetti' });
  await sql`UPDATE company_settings SET payroll_frequency = 'biweekly',
                   payroll_first_payday = '2026-11-27'`.execute(db);
  return { company, renee, theo };
}

type Clocked = Pick<Services, 'clock'>;

/** Uploads lines as a file of usual pay, with or without errors. */
export function uploadPayLines(
  db: Db,
  services: Clocked,
  by: CommandContext,
  lines: readonly string[],
) {
  const body = bodyOf(lines.join('\r\n'));
  return uploadUsualPayFile(db, services, by, { fileName: 'pay.csv', body });
}

/** Uploads a file of usual pay that has no errors. */
export async function checkedPayFile(...given: Parameters<typeof uploadPayLines>) {
  const { problems, import: one } = await uploadPayLines(...given);
  if (one === null) throw new Error(`the file has errors: ${JSON.stringify(problems)}`);
  return one;
}

/** Confirms a file of usual pay as it was seen. */
export function confirmPayFile(
  db: Db,
  services: Clocked,
  by: CommandContext,
  { id, hash }: Pick<UsualPayImport, 'id' | 'hash'>,
): Promise<UsualPayImport> {
  return withTx(db, (tx) => confirmUsualPayFile(tx, services, by, { id, hash }));
}

/** A file of usual pay as an administrator sees it. */
export async function readPayFile(
  db: Db,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
): Promise<UsualPayImport> {
  return presentImport(db, services, actor.id, await findImport(db, id));
}
