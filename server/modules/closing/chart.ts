import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { JOURNAL_ACCOUNTS } from '#contract/closing.ts';
import type { JournalAccount } from '#contract/closing.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import type { JournalLine } from './journal.ts';

/** Accounts of the company's chart by account of the journal; those that nobody mapped are left out. */
export type Chart = Partial<Record<JournalAccount, { code: string; name: string }>>;

export async function readChart(reader: Reader): Promise<Chart> {
  const rows = await reader
    .selectFrom('chartAccount')
    .select(['account', 'code', 'name'])
    .execute();
  return Object.fromEntries(rows.map(({ account, code, name }) => [account, { code, name }]));
}

/** Accounts that a journal has, in their order. */
export function usedAccounts(lines: readonly JournalLine[]): JournalAccount[] {
  return JOURNAL_ACCOUNTS.filter((account) => lines.some((line) => line.account === account));
}

export function presentChart(
  chart: Chart,
  lines: readonly JournalLine[],
): RouteReply<'adminGetMonth'>['accounts'] {
  const used = usedAccounts(lines);
  return JOURNAL_ACCOUNTS.map((account) => ({
    account,
    code: chart[account]?.code ?? null,
    name: chart[account]?.name ?? null,
    isUsed: used.includes(account),
  }));
}

/** Maps an account of the journal to one of the chart. Months that were exported keep the accounts of that time. */
export async function mapAccount(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  {
    account,
    code,
    name,
  }: RouteArguments<'adminMapChartAccount'>['params'] &
    RouteArguments<'adminMapChartAccount'>['body'],
): Promise<{ ok: true }> {
  const changedAt = clock.now();
  const changed = { code, name, changedBy: by.actor.id, changedAt };
  const { id } = await tx
    .insertInto('chartAccount')
    .values({ id: newId(changedAt.getTime()), account, ...changed })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(changed))
    .returning('id')
    .executeTakeFirstOrThrow();
  record(tx, by, 'chart_account.mapped', { id, details: { account, code, name } });
  return { ok: true };
}
