import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { addBankingDays, BANKING_ZONE, bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { MAX_PAYOUT_ITEMS, PAYEE_GROUPS } from '#contract/payouts.ts';
import type { PayeeGroup, PayoutKind } from '#contract/payouts.ts';
import { bill } from '#contract/things/bill.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { momentOf, withActs } from '#server/modules/acts/index.ts';
import { lacksPrenote, selectBankAccounts } from '#server/modules/bank-accounts/index.ts';
import type { BankAccountRow } from '#server/modules/bank-accounts/index.ts';
import { bills, selectBills } from '#server/modules/payments/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { selectWithdrawals, withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
type Shown = RouteReply<'adminGetPayouts'>['ready'][number];
type HeldReason = RouteReply<'adminGetPayouts'>['held'][number]['reason'];

/** A withdrawal, a bill or a prenote with the answer if it can be in a file now. */
export interface Payable {
  kind: PayoutKind;
  payees: PayeeGroup;
  amountMinor: bigint;
  status: string;
  shown: Shown;
  /** The bank account that it goes to; null of a bill. */
  bankAccountId: string | null;
  /** Number of the file that it is in and that was not sent yet. */
  inFile: number | null;
  /**
   * The sentence by which this administrator would be refused now; null if they would not. It is that of starting a
   * withdrawal and sending a bill by hand, so there is one rule of when money may leave.
   */
  refusal: string | null;
  reason: HeldReason;
}

interface Asked {
  by: CommandContext;
  settings: CompanySettings;
  /** These alone, whatever their status; without them, all that are approved or due. */
  ids?: readonly string[];
}

/** Withdrawals and bills that files pay, and bank accounts that wait for a prenote, oldest first, at most as many as one file has of each. */
export async function readPayables(
  reader: Reader,
  services: Clocked,
  asked: Asked,
): Promise<Payable[]> {
  const ofWithdrawals = await readWithdrawals(reader, services, asked);
  const ofBills = await readBills(reader, services, asked);
  return [...ofWithdrawals, ...ofBills, ...(await readPrenotes(reader, services, asked))];
}

async function readWithdrawals(
  reader: Reader,
  services: Clocked,
  { by, settings, ids }: Asked,
): Promise<Payable[]> {
  const now = services.clock.now();
  const query = selectWithdrawals(reader)
    .where(
      ids === undefined
        ? sql<boolean>`withdrawal.status = 'approved'`
        : among('withdrawal.id', ids),
    )
    .orderBy('withdrawal.requestedAt')
    .orderBy('withdrawal.id')
    .limit(MAX_PAYOUT_ITEMS);
  const who = { actor: by.actor, as: 'admin' } as const;
  const rows = await withActs(reader, services, withdrawals, who, query, settings);
  return rows.map((row) => ({
    ...{ kind: 'withdrawal', payees: 'people', status: row.status, inFile: row.inFile },
    ...{ amountMinor: row.amountMinor, bankAccountId: row.bankAccountId },
    refusal: refusalOf(row, 'startProcessing'),
    reason: reasonOf({ ...row, isReturned: row.bankStatus !== 'verified', now }),
    shown: {
      ...{ id: row.id, kind: 'withdrawal', reference: row.reference, payees: 'people' },
      payTo: row.employeeName,
      employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
      ...{ bankName: row.bankName, last4: row.bankLast4 },
      amount: money(row.amountMinor, row.currency),
      effectiveOn: nextBankingDay(now),
      since: (momentOf(withdrawal, 'approve')(row) ?? row.requestedAt).toISOString(),
    },
  }));
}

async function readBills(
  reader: Reader,
  services: Clocked,
  { by, settings, ids }: Asked,
): Promise<Payable[]> {
  const now = services.clock.now();
  const query = selectBills(reader)
    .where(ids === undefined ? sql<boolean>`bill.status = 'due'` : among('bill.id', ids))
    .orderBy('bill.payOn')
    .orderBy('bill.id')
    .limit(MAX_PAYOUT_ITEMS);
  const who = { actor: by.actor, as: 'admin' } as const;
  const rows = await withActs(reader, services, bills, who, query, settings);
  return rows.map((row) => {
    const payees = row.payeeKind === 'business' ? 'businesses' : 'people';
    const next = nextBankingDay(now);
    const payDay = bankingDayOnOrAfter(row.payDay);
    return {
      ...{ kind: 'bill', payees, status: row.status, inFile: row.inFile },
      ...{ amountMinor: row.amountMinor, bankAccountId: null },
      refusal: refusalOf(row, 'send'),
      reason: reasonOf({ ...row, isReturned: row.returnedBillId !== null, now }),
      shown: {
        ...{ id: row.id, kind: 'bill', reference: row.reference, payees, payTo: row.payeeName },
        employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
        ...{ bankName: null, last4: row.payeeLast4 },
        amount: money(row.amountMinor, row.currency),
        effectiveOn: payDay > next ? payDay : next,
        since: (momentOf(bill, 'take')(row) ?? row.requestedAt).toISOString(),
      },
    };
  });
}

/**
 * Bank accounts that wait for a prenote. It moves no money, so neither a freeze nor cooling-off holds it, and anybody may
 * make a file with it. One that is in a file is left out, unless it is asked for by its id.
 */
async function readPrenotes(
  reader: Reader,
  { clock }: Clocked,
  { settings, ids }: Asked,
): Promise<Payable[]> {
  if (settings.bankAccountProof !== 'prenote' && ids === undefined) return [];
  const effectiveOn = nextBankingDay(clock.now());
  const rows = await selectBankAccounts(reader)
    .where(
      ids === undefined
        ? sql<boolean>`bank_account.status = 'pending' AND ${lacksPrenote('bank_account')}`
        : among('bank_account.id', ids),
    )
    .orderBy('bankAccount.submittedAt')
    .orderBy('bankAccount.id')
    .limit(MAX_PAYOUT_ITEMS)
    .execute();
  return rows.map((row) => ({
    ...{ kind: 'prenote', payees: 'accounts', status: row.status, amountMinor: 0n },
    ...{ inFile: null, refusal: refusalToTest(row), reason: 'other', bankAccountId: row.id },
    shown: {
      ...{ id: row.id, kind: 'prenote', reference: 'Prenote', payees: 'accounts' },
      payTo: row.ownerName,
      employee: { id: row.userId, name: row.ownerName, employeeId: row.ownerEmployeeNumber },
      ...{ bankName: row.bankName, last4: row.last4, amount: money(0n, settings.currency) },
      ...{ effectiveOn, since: row.submittedAt.toISOString() },
    },
  }));
}

function refusalToTest({ status, prenote }: BankAccountRow): string | null {
  if (status !== 'pending') return `It is ${status}.`;
  if (prenote === null) return 'The company asks for no prenotes.';
  return prenote.file === null ? null : `It has one in payout file ${fileNumber(prenote.file)}.`;
}

function among(column: string, ids: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} = ANY (${ids}::uuid[])`;
}

/** The first banking day after today, which is a day of New York for banks: late in the evening the company's is earlier. */
function nextBankingDay(now: Date): string {
  return addBankingDays(dayIn(BANKING_ZONE, now), 1);
}

/** The refusal of the act that pays by hand; of a status in which it is not legal, that status. */
function refusalOf(
  row: { status: string; acts: readonly { act: string; refusal: string | null }[] },
  act: string,
): string | null {
  const found = row.acts.find((one) => one.act === act);
  return found === undefined ? `It is ${row.status}.` : found.refusal;
}

function reasonOf({
  frozenAt,
  payableFrom,
  isReturned,
  now,
}: {
  frozenAt: Date | null;
  payableFrom: Date | null;
  isReturned: boolean;
  now: Date;
}): HeldReason {
  if (frozenAt !== null) return 'frozen';
  if (isReturned) return 'unverified';
  return payableFrom !== null && payableFrom > now ? 'cooling' : 'other';
}

/** Part of what is ready to be paid, as the page of payouts asks for it. */
export type Part = Pick<RouteArguments<'adminGetPayouts'>['query'], 'search' | 'payees' | 'on'>;

/** True for a payment that can be paid now by a file, and is in none. */
export function isReady({ inFile, refusal }: Payable): boolean {
  return inFile === null && refusal === null;
}

/** Payments of a part that one file can pay now: the first of them, where there are more than a file has. */
export function readyFor(payables: readonly Payable[], part: Part): Payable[] {
  return payables.filter(isReady).filter(isPartOf(part)).slice(0, MAX_PAYOUT_ITEMS);
}

/** True for a payment of a part: each word of its search is in a name, a reference, a bank or the last digits. */
function isPartOf({ search, payees, on }: Part): (payable: Payable) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ payees: group, shown }) => {
    const { payTo, employee, reference, bankName, last4 } = shown;
    const found = [payTo, employee.name, employee.employeeId, reference, bankName, last4]
      .join(' ')
      .toLowerCase();
    return (
      (payees === 'all' || payees === group) &&
      (on === 'all' || on === shown.effectiveOn) &&
      words.every((word) => found.includes(word))
    );
  };
}

/** Groups payments by their day and the kind of payee, in that order: each is a batch of a file. */
export function inLots(payables: readonly Payable[]): Payable[][] {
  const keyOf = ({ payees, shown }: Payable) =>
    `${shown.effectiveOn} ${PAYEE_GROUPS.indexOf(payees)}`;
  const groups = Map.groupBy(payables, keyOf);
  return [...groups.keys()].toSorted().map((key) => groups.get(key) ?? []);
}
