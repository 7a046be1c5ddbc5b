import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { LineRule } from './match-lines.ts';

type BankRule = RouteReply<'adminAddBankRule'>;

/** @throws {AppError} `amount_invalid` for another currency than the company's */
export async function addRule(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { text, direction, most, kind }: RouteArguments<'adminAddBankRule'>['body'],
): Promise<BankRule> {
  const { currency } = await readSettings(tx);
  if (most !== null && most.currency !== currency) throw new AppError('amount_invalid');
  const at = clock.now();
  const id = newId(at.getTime());
  const mostMinor = most === null ? null : BigInt(most.minor);
  const rule = { id, text, direction, mostMinor, kind };
  await tx
    .insertInto('bankRule')
    .values({ ...rule, addedBy: by.actor.id, addedAt: at })
    .execute();
  record(tx, by, 'bank_rule.added', {
    id,
    details: { text, direction, kind, mostMinor: most?.minor ?? 'none' },
  });
  return presentRule({ ...rule, takenCount: 0 }, currency);
}

/** @throws {AppError} `bank_rule_not_found` */
export async function removeRule(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<{ ok: true }> {
  const removed = await tx
    .updateTable('bankRule')
    .set({ removedAt: clock.now() })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .returning('text')
    .executeTakeFirst();
  if (removed === undefined) throw new AppError('bank_rule_not_found');
  record(tx, by, 'bank_rule.removed', { id, details: { text: removed.text } });
  return { ok: true };
}

export function presentRule(
  { id, text, direction, mostMinor, kind, takenCount }: LineRule & { takenCount: number },
  currency: Currency,
): BankRule {
  const most = mostMinor === null ? null : money(mostMinor, currency);
  return { id, text, direction, most, kind, taken: takenCount };
}
