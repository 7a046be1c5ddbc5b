import { sql } from 'kysely';
import type { PayoutReversal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { payoutReversal } from '#contract/things/payout-reversal.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import {
  recordedActs,
  stepsOf,
  withItsActs,
  withUnwrittenActs,
} from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { fileNameOf } from '../content.ts';
import { selectItemRequests } from '../items.ts';
import { payoutReversals } from './payout-reversal.ts';

type Clocked = Pick<Services, 'clock'>;

function selectReversals(reader: Reader) {
  return selectItemRequests(reader)
    .innerJoin('payoutReversal', 'payoutReversal.itemId', 'item.id')
    .innerJoin('appUser as maker', 'maker.id', 'payoutReversal.createdBy')
    .innerJoin('appUser as owner', (join) =>
      join.on(sql<boolean>`owner.id = coalesce(withdrawal.user_id, bill.user_id)`),
    )
    .selectAll('payoutReversal')
    .select(['payoutReversal.createdBy as userId', 'maker.name as makerName', 'item.isLive'])
    .select([
      sql<string>`to_char(payout_reversal.effective_on, 'YYYY-MM-DD')`.as('effectiveDay'),
      sql<string>`coalesce(withdrawal.reference, bill.reference)`.as('reference'),
      sql<string>`coalesce(bill.payee_name, owner.name)`.as('payTo'),
    ])
    .select(recordedActs(payoutReversal, 'payout_reversal.id').as('done'));
}
type Row = Awaited<ReturnType<ReturnType<typeof selectReversals>['execute']>>[number];

/** @throws {AppError} `payout_reversal_not_found` */
export async function loadReversal(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<PayoutReversal> {
  const row = await selectReversals(reader).where('payoutReversal.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('payout_reversal_not_found');
  return present(reader, services, by, row);
}

/** Reversals of the payments of a payout file, the newest first. */
export async function reversalsOf(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  fileId: string,
): Promise<PayoutReversal[]> {
  const rows = await selectReversals(reader)
    .where('item.fileId', '=', fileId)
    .orderBy('payoutReversal.number', 'desc')
    .execute();
  const shown: PayoutReversal[] = [];
  for (const row of rows) shown.push(await present(reader, services, by, row));
  return shown;
}

async function present(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  found: Row,
): Promise<PayoutReversal> {
  const known = withUnwrittenActs(reader, payoutReversal, found);
  const row = await withItsActs(reader, services, payoutReversals, { actor, as: 'admin' }, known);
  const { number, createdAt, makerName } = row;
  const made = { status: 'prepared', at: createdAt.toISOString(), by: makerName };
  return {
    id: row.id,
    number: fileNumber(number),
    itemId: row.itemId,
    reason: row.reason,
    status: row.status,
    reference: row.reference,
    payTo: row.payTo,
    amount: money(row.amountMinor, row.currency),
    fileName: fileNameOf({ format: 'nacha', number, isReversal: true }),
    contentHash: row.contentHash,
    effectiveOn: row.effectiveDay,
    isBack: !row.isLive,
    history: stepsOf(payoutReversal, { done: row.done, rejectionReason: null }, made),
    acts: row.acts,
  };
}
