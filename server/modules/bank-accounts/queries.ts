import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { addUp, countAcross, inOrder, pageAcross } from '#server/db/paging.ts';
import type { Asked, ListPart } from '#server/db/paging.ts';
import { containsPattern, isPersonMatching, peopleMatching } from '#server/db/search.ts';
import { planKept } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { presentAdminBankAccount, presentBankAccount } from './present.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

/** @throws {AppError} `bank_account_not_found` */
export async function loadBankAccount(reader: Reader, id: string): Promise<BankAccountRow> {
  const row = await selectRows(reader).where('bankAccount.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bank_account_not_found');
  return row;
}

/** The person's own bank accounts, the primary one first, then as they were added. */
export async function listBankAccounts(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listBankAccounts'>> {
  const rows = await selectRows(reader)
    .where('bankAccount.userId', '=', userId)
    .orderBy('bankAccount.isPrimary', 'desc')
    .orderBy('bankAccount.createdAt')
    .orderBy('bankAccount.id')
    .execute();
  return { items: rows.map(presentBankAccount) };
}

type Filter = RouteArguments<'adminCountBankAccounts'>['query'];

/** Bank accounts of everyone: those that wait come first, oldest first; then the newest. */
export async function adminListBankAccounts(
  reader: Reader,
  filter: Filter & Asked,
): Promise<RouteReply<'adminListBankAccounts'>> {
  const page = await pageAcross(partsOf(reader, filter), filter);
  return { ...page, items: page.items.map(presentAdminBankAccount) };
}

/** How many bank accounts of everyone the filter leaves. */
export function adminCountBankAccounts(
  reader: Reader,
  filter: Filter,
): Promise<RouteReply<'adminCountBankAccounts'>> {
  return countAcross(partsOf(reader, filter));
}

function partsOf(reader: Reader, filter: Filter): ListPart<BankAccountRow>[] {
  const waiting = part(reader, filter.search, 'pending', 'asc');
  if (filter.status === 'pending') return [waiting];
  if (filter.status !== 'all') return [part(reader, filter.search, filter.status, 'desc')];
  return [waiting, part(reader, filter.search, 'decided', 'desc')];
}

/** The page's ids first, planned for this filter; then what is shown of those few. */
function part(
  reader: Reader,
  search: string,
  status: 'pending' | 'verified' | 'rejected' | 'decided',
  direction: 'asc' | 'desc',
): ListPart<BankAccountRow> {
  const isThere = sql<boolean>`bank_account.removed_at IS NULL
    AND ${status === 'decided' ? sql`bank_account.status <> 'pending'` : sql`bank_account.status = ${status}`}`;
  const order =
    direction === 'asc'
      ? sql`bank_account.submitted_at, bank_account.id`
      : sql`bank_account.submitted_at DESC, bank_account.id DESC`;
  return {
    count: () =>
      addUp(pieces(search), async (piece) => {
        const { count } = await reader
          .selectFrom('bankAccount')
          .select((eb) => eb.fn.countAll<bigint>().as('count'))
          .where(sql<boolean>`${isThere} AND ${piece}`)
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    rows: async (offset, limit) => {
      const found = await reader
        .selectFrom('bankAccount')
        .select('id')
        .where(sql<boolean>`${isThere} AND ${matches(search)}`)
        .orderBy(order)
        .offset(offset)
        .limit(limit)
        .execute();
      const ids = found.map(({ id }) => id);
      const rows = await selectRows(reader)
        .modifyFront(planKept)
        .where(sql<boolean>`bank_account.id = ANY (${ids}::uuid[])`)
        .execute();
      return inOrder(ids, rows);
    },
  };
}

function matches(search: string): RawBuilder<boolean> {
  if (search === '') return sql`true`;
  const pattern = containsPattern(search);
  return sql`(bank_account.bank_name ILIKE ${pattern}
    OR bank_account.user_id = ANY (${peopleMatching(pattern)}))`;
}

/** The search as conditions that share no row: found by the bank, and found only by the owner. */
function pieces(search: string): RawBuilder<boolean>[] {
  if (search === '') return [sql`true`];
  const pattern = containsPattern(search);
  return [
    sql`bank_account.bank_name ILIKE ${pattern}`,
    sql`bank_account.bank_name NOT ILIKE ${pattern}
      AND ${isPersonMatching('bank_account.user_id', pattern)}`,
  ];
}
