import { sql } from 'kysely';
import { MAX_RETURN_ENTRIES } from '#contract/returns.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { messageIdOf } from '../content.ts';
import { IsoFault } from '../iso-answers/answers.ts';
import type { IsoAnswer, IsoAnswers, IsoClaim, IsoScope } from '../iso-answers/answers.ts';
import { selectItemRequests } from '../items.ts';
import type { FileEntry, ReturnFile } from './return-file.ts';

/** A payment of ours that a bank can answer. */
interface Ours {
  traceNumber: string;
  reference: string;
  amountMinor: bigint;
  /** Id of its batch in the message: `20261208-0031-1`. */
  paymentInfoId: string;
}

interface Answered {
  number: number;
  status: string;
  /** True while its payments are still being marked as sent. */
  isPosting: boolean;
  bankName: string;
  payments: readonly Ours[];
}

/**
 * The entries of a returns file that ISO 20022 answers are: each answer with the payments that it is about, by their
 * references. An answer whose payment is not found is an entry with the bank's own references.
 *
 * @throws {IsoFault} for a report about a message that is not ours, or of other counts or sums than it has; and for a
 *   message that the bank rejected as a whole and that was not sent
 * @throws {AppError} `return_file_too_large`
 */
export async function findAnswered(
  reader: Reader,
  { bankName, madeOn, original, answers, claims }: IsoAnswers,
): Promise<ReturnFile> {
  const message = original === null ? null : await findMessage(reader, original);
  const payments = message?.payments ?? (await findPayments(reader, answers));
  if (message !== null) checkSent(message, answers);
  const matchOf = matcherOf(payments);
  const named = answers.flatMap((answer) =>
    answer.of.kind === 'payment' ? [{ answer, ours: matchOf(answer.of) }] : [],
  );
  const known = new Set(named.map(({ ours }) => ours));
  const rest = answers.flatMap((answer) => {
    if (answer.of.kind === 'payment') return [];
    const found = within(payments, answer.of).filter((one) => !known.has(one));
    for (const one of found) known.add(one);
    return found.map((ours) => ({ answer, ours }));
  });
  const all = [...named, ...rest];
  if (all.length > MAX_RETURN_ENTRIES) throw new AppError('return_file_too_large');
  const entries = all.map((one, at) => entryOf(one, { record: at + 1, madeOn }));
  for (const claim of claims) checkClaim(claim, payments, all);
  return { bankName: bankName ?? message?.bankName ?? '', madeOn, entries };
}

/** The payout file of a message with its payments. @throws {IsoFault} for one of no file of ours */
async function findMessage(
  reader: Reader,
  { place, messageId }: NonNullable<IsoAnswers['original']>,
): Promise<Answered> {
  const number = Number(/^\d{8}-(\d{4,9})$/.exec(messageId)?.[1] ?? 0);
  const file = await reader
    .selectFrom('payoutFile')
    .select(['id', 'number', 'status'])
    .select([
      sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeOn'),
      sql<string>`profile ->> 'bankName'`.as('bankName'),
      sql<boolean>`unposted_after IS NOT NULL`.as('isPosting'),
    ])
    .where('number', '=', number)
    .where('format', '<>', 'nacha')
    .executeTakeFirst();
  if (file === undefined || messageIdOf(file) !== messageId) {
    throw new IsoFault(place, `“${messageId.slice(0, 40)}” is no message of ours`);
  }
  const payments = await selectPayments(reader).where('item.fileId', '=', file.id).execute();
  return { ...file, payments: payments.map(oursOf) };
}

/** The payments with these references, in files that were not cancelled. */
async function findPayments(
  reader: Reader,
  answers: readonly IsoAnswer[],
): Promise<readonly Ours[]> {
  const references = answers.flatMap(({ of }) =>
    of.kind === 'payment' ? (of.endToEndId ?? []) : [],
  );
  const traces = answers.flatMap(({ of }) =>
    of.kind === 'payment' ? (of.instructionId ?? []) : [],
  );
  const payments = await selectPayments(reader)
    .where('file.status', '<>', 'cancelled')
    .where(
      sql<boolean>`(item.trace_number = ANY (${traces}::text[])
        OR item.withdrawal_id IN (SELECT id FROM withdrawal WHERE reference = ANY (${references}::text[]))
        OR item.bill_id IN (SELECT id FROM bill WHERE reference = ANY (${references}::text[])))`,
    )
    .orderBy('file.number', 'desc')
    .execute();
  return payments.map(oursOf);
}

function selectPayments(reader: Reader) {
  return selectItemRequests(reader)
    .select(['item.traceNumber', 'item.amountMinor', 'item.batchNumber', 'file.number'])
    .select([
      sql<string>`to_char(file.made_on, 'YYYY-MM-DD')`.as('madeOn'),
      sql<string>`coalesce(withdrawal.reference, bill.reference, '')`.as('reference'),
    ])
    .orderBy('item.traceNumber');
}

function oursOf({
  number,
  madeOn,
  batchNumber,
  ...payment
}: Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number]): Ours {
  return { ...payment, paymentInfoId: `${messageIdOf({ number, madeOn })}-${batchNumber}` };
}

/** A rejected message gives money back that left the wallets when it was marked as sent. */
function checkSent({ status, number, isPosting }: Answered, answers: readonly IsoAnswer[]): void {
  const whole = answers.find(({ of }) => of.kind !== 'payment');
  const wasSent = status === 'sent' || status === 'settled';
  if (whole === undefined || (wasSent && !isPosting)) return;
  const why = wasSent
    ? 'is still being marked as sent, so try again in a minute'
    : status === 'cancelled'
      ? 'was cancelled'
      : 'is not marked as sent, so cancel it instead';
  throw new IsoFault(whole.place, `payout file ${fileNumber(number)} ${why}`);
}

/** Finds the payment that has the trace number, or else the reference; the first of several. */
function matcherOf(payments: readonly Ours[]) {
  const byTrace = new Map(payments.toReversed().map((one) => [one.traceNumber, one]));
  const byReference = new Map(payments.toReversed().map((one) => [one.reference, one]));
  return ({ instructionId, endToEndId }: IsoScope & { kind: 'payment' }): Ours | null =>
    (instructionId === null ? undefined : byTrace.get(instructionId)) ??
    (endToEndId === null ? undefined : byReference.get(endToEndId)) ??
    null;
}

function within(payments: readonly Ours[], of: Exclude<IsoScope, { kind: 'payment' }>) {
  return of.kind === 'all'
    ? payments
    : payments.filter(({ paymentInfoId }) => paymentInfoId === of.paymentInfoId);
}

function entryOf(
  { answer, ours: payment }: { answer: IsoAnswer; ours: Ours | null },
  { record, madeOn }: { record: number; madeOn: string },
): FileEntry {
  const { of, code, amountMinor, bankReference, receiver, isCredit } = answer;
  const named = of.kind === 'payment' ? of : null;
  const batch = named?.paymentInfoId ?? payment?.paymentInfoId;
  const isOtherBatch = payment !== null && batch !== payment.paymentInfoId;
  return {
    record,
    originalTrace:
      payment?.traceNumber ??
      named?.instructionId ??
      named?.endToEndId ??
      // Two without references are two payments.
      (bankReference === '' ? `Entry ${record} of ${madeOn}` : ''),
    bankTrace: bankReference,
    amountMinor: amountMinor ?? payment?.amountMinor ?? 0n,
    receiver,
    // One that names another batch than its payment was in is not about that payment.
    identification: (isOtherBatch ? batch : named?.endToEndId) ?? '',
    companyId: null,
    isReturnedCredit: isCredit,
    answer: { kind: 'return', code },
  };
}

/** @throws {IsoFault} */
function checkClaim(
  { place, of, isOfReturned, count, totalMinor }: IsoClaim,
  payments: readonly Ours[],
  all: readonly { answer: IsoAnswer; ours: Ours | null }[],
): void {
  const isWithin = ({ answer, ours: payment }: (typeof all)[number]) =>
    of.kind === 'all' ||
    payment?.paymentInfoId === of.paymentInfoId ||
    (answer.of.kind === 'payment' && answer.of.paymentInfoId === of.paymentInfoId);
  const amounts = isOfReturned
    ? all
        .filter(isWithin)
        .map(({ answer, ours: payment }) => answer.amountMinor ?? payment?.amountMinor ?? 0n)
    : within(payments, of).map(({ amountMinor }) => amountMinor);
  const whose = isOfReturned ? 'of those that came back it has' : 'the message has';
  if (count !== null && count !== amounts.length) {
    throw new IsoFault(place, `it says ${count} payments, and ${whose} ${amounts.length}`);
  }
  const sum = amounts.reduce((total, minor) => total + minor, 0n);
  if (totalMinor !== null && totalMinor !== sum) {
    const said = decimalAmount(totalMinor);
    throw new IsoFault(place, `it says ${said}, and ${whose} ${decimalAmount(sum)}`);
  }
}
