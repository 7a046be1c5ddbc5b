import { sql } from 'kysely';
import { receiptId } from '#contract/account-documents.ts';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import { PERSON_PAYMENT_LIMITS } from '#contract/payments.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { adviceTo, record } from '#server/modules/journal/index.ts';
import { post } from '#server/modules/ledger/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { lockForTransfer } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { checkFunds } from './check-funds.ts';
import { checkPayer } from './check-payer.ts';
import { isPayable } from './find-recipient.ts';
import { saveColleague } from './payees.ts';

export type NewPersonPayment = RouteArguments<'payPerson'>['body'];

/** A payment that has been checked and is about to be posted. */
interface Transfer {
  id: string;
  reference: string;
  from: WalletRecord;
  to: WalletRecord;
  recipientName: string;
  amountMinor: bigint;
  currency: CompanySettings['currency'];
  note: string;
  limitDay: string;
  /** True for one of which the payer is mailed whatever mail they chose. */
  isLarge: boolean;
  at: Date;
}

/**
 * Pays a colleague from one of the caller's wallets into their salary wallet, posted immediately. Both
 * people and both wallets are locked in the order of their ids, so that two payments between the same
 * people wait for each other instead of blocking each other, and no limit is found unspent twice.
 *
 * @throws {AppError} `amount_invalid`, `own_payment`, `payment_limit`, `recipient_not_found`,
 *   `wallet_not_found`, `payment_daily_limit`, `insufficient_funds`, `new_browser_limit`,
 *   `payee_limit`, and as `checkPayer`
 */
export async function payPerson(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  input: NewPersonPayment,
): Promise<RouteReply<'payPerson'>> {
  const at = clock.now();
  const payerId = by.actor.id;
  const { recipientId, walletId, note } = input;
  const settings = await readMoneyRules(tx);
  const { currency } = settings;
  const amountMinor = checkAmount(input.amount, currency);
  if (recipientId === payerId) throw new AppError('own_payment');

  const recipientName = await lockRecipient(tx, { payerId, recipientId });
  await checkPayer(tx, settings, { userId: payerId, now: at });
  const { from, to } = await lockForTransfer(tx, { walletId, userId: payerId }, recipientId);
  if (to === undefined) throw new AppError('recipient_not_found');
  if (from === undefined) throw new AppError('wallet_not_found');
  const limitDay = dayIn(settings.timeZone, at);
  await checkDailyLimit(tx, { payerId, limitDay, amountMinor, currency });
  const availableMinor = await checkFunds(tx, { from, amountMinor, currency });
  await countInNewBrowser(tx, by, { settings, amountMinor, at });

  const reference = await nextReference(tx, 'TXN');
  const transfer: Transfer = {
    id: newId(at.getTime()),
    reference,
    from,
    to,
    recipientName,
    amountMinor,
    currency,
    note,
    limitDay,
    at,
    isLarge: amountMinor > settings.paymentMailAboveMinor,
  };
  const transactionId = await postTransfer(tx, by, transfer);
  if (input.savePayee) await saveColleague(tx, { userId: payerId, colleagueId: recipientId, at });
  notify(tx, recipientId, {
    kind: 'payment-received',
    message: `${formatMoney(money(amountMinor, currency))} from ${by.actor.name} is in your ${WALLET_LABELS[to.type]}.${note === '' ? '' : ` Note: ${note}`}`,
    relatedId: transfer.id,
    at,
  });
  publish(tx, { topic: 'wallets', userId: recipientId });
  return {
    id: transfer.id,
    reference,
    amount: money(amountMinor, currency),
    walletName: WALLET_LABELS[from.type],
    recipient: { id: recipientId, name: recipientName },
    note,
    paidAt: at.toISOString(),
    available: money(availableMinor - amountMinor, currency),
    documentId: receiptId(`${transactionId}.${from.type}`),
  };
}

/** @throws {AppError} `amount_invalid`, also in another currency than the company's; `payment_limit` */
function checkAmount(
  amount: NewPersonPayment['amount'],
  currency: CompanySettings['currency'],
): bigint {
  const amountMinor = BigInt(amount.minor);
  if (amountMinor <= 0n || amount.currency !== currency) throw new AppError('amount_invalid');
  const { mostMinor } = PERSON_PAYMENT_LIMITS;
  if (amountMinor > mostMinor) {
    throw new AppError('payment_limit', { limit: formatMoney(money(mostMinor, currency)) });
  }
  return amountMinor;
}

/**
 * Locks payer and recipient, and answers the recipient's name.
 *
 * @throws {AppError} `recipient_not_found` for whoever cannot be paid
 */
async function lockRecipient(
  tx: Tx,
  { payerId, recipientId }: { payerId: string; recipientId: string },
): Promise<string> {
  const people = await tx
    .selectFrom('appUser')
    .select(['id', 'name', 'isEmployee', 'acceptedAt', 'deactivatedAt', 'payoutsFrozenAt'])
    .where('id', 'in', [payerId, recipientId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const recipient = people.find(({ id }) => id === recipientId);
  if (recipient === undefined || !isPayable(recipient)) throw new AppError('recipient_not_found');
  return recipient.name;
}

/** @throws {AppError} `payment_daily_limit` */
async function checkDailyLimit(
  tx: Tx,
  {
    payerId,
    limitDay,
    amountMinor,
    currency,
  }: Pick<Transfer, 'limitDay' | 'amountMinor' | 'currency'> & { payerId: string },
): Promise<void> {
  const { rows } = await sql<{ paidMinor: bigint }>`
    SELECT coalesce(sum(amount_minor), 0)::bigint AS paid_minor FROM person_payment
     WHERE payer_id = ${payerId} AND limit_day = ${limitDay}`.execute(tx);
  const { dailyMinor } = PERSON_PAYMENT_LIMITS;
  if ((rows[0]?.paidMinor ?? 0n) + amountMinor > dailyMinor) {
    throw new AppError('payment_daily_limit', { limit: formatMoney(money(dailyMinor, currency)) });
  }
}

/** Posts it, writes the payment and its record, and answers the id of the posting. */
async function postTransfer(tx: Tx, by: CommandContext, transfer: Transfer): Promise<string> {
  const { id, reference, from, to, amountMinor, currency, note, limitDay, at } = transfer;
  const posting = {
    kind: 'transfer',
    reference,
    description: `Payment to ${transfer.recipientName}`,
    actorId: by.actor.id,
    subjectId: id,
    // The word for the recipient's side.
    metadata: { received: `Payment from ${by.actor.name}` },
    entries: [
      { accountId: from.ledgerAccountId, amountMinor: -amountMinor },
      { accountId: to.ledgerAccountId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting], { effectiveAt: at });
  const { id: transactionId } = invariant(posted, 'a batch of one posted nothing');
  await tx
    .insertInto('personPayment')
    .values({
      id,
      reference,
      amountMinor,
      currency,
      note,
      limitDay,
      payerId: from.userId,
      payerWalletId: from.id,
      recipientId: to.userId,
      recipientWalletId: to.id,
      ledgerTransactionId: transactionId,
      paidAt: at,
    })
    .execute();
  record(tx, by, transfer.isLarge ? 'person_payment.large' : 'person_payment.made', {
    id,
    personId: from.userId,
    at,
    details: {
      reference,
      currency,
      limitDay,
      transactionId,
      amountMinor: String(amountMinor),
      payerWalletId: from.id,
      recipientId: to.userId,
      recipientWalletId: to.id,
    },
    words: {
      amount: formatMoney(money(amountMinor, currency)),
      recipient: transfer.recipientName,
      reference,
      advice: adviceTo(by.actor),
    },
  });
  return transactionId;
}
