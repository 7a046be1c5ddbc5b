import { sql } from 'kysely';
import { payslipId } from '#contract/account-documents.ts';
import type { AccountDocument } from '#contract/api.ts';
import { payKind } from '#contract/funding.ts';
import type { FundingType } from '#contract/funding.ts';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { paidLines } from './paid-lines.ts';
import type { PaidLine } from './paid-lines.ts';
import {
  breakdownTable,
  fundingTable,
  kindTables,
  movedTable,
  paidTable,
  recoveryTable,
} from './payslip-tables.ts';
import type { SentBatch } from './payslip-tables.ts';
import type { DocumentScope } from './scope.ts';
import { proofOf } from './seals.ts';
import { accountWords, amountCell, companyHead, questionsLine, writeMoment } from './words.ts';
import type { Fact } from './words.ts';

/**
 * Payslip of one paid line of a payroll or an individual funding: the line's payment, and the
 * payments of both, by account and by kind, from the beginning of the year to that payday. Its sums
 * leave out later payments and reversals, so a payslip of March stays as it was. It does say if its
 * own line was reversed. Purser computes no taxes and deductions. It shows those that the payroll provider handed over
 * with the amount.
 *
 * @param known batch of the line, where the caller has read it
 * @throws {AppError} `account_document_not_found` for a line of another person, and for an unpaid
 *   one
 */
export async function makePayslip(
  reader: Reader,
  scope: DocumentScope,
  lineId: string,
  known?: SentBatch,
): Promise<AccountDocument> {
  const { person, settings } = scope;
  const { currency, timeZone } = settings;
  const line = await readLine(reader, person.id, lineId);
  const batch = known ?? (await readBatch(reader, line.batchId));
  return {
    id: payslipId(line.id),
    kind: 'payslip',
    title: 'Payslip',
    notice: noticeOf(line, scope),
    subtitle: `Pay date ${writeMoment(line.effectiveAt, 'long', timeZone)}`,
    company: companyHead(settings),
    lead: {
      label: `${leadWords(line.fundingType)} to ${WALLET_LABELS[line.walletType]}`,
      amount: money(line.amountMinor, currency),
      isSigned: false,
    },
    facts: [
      [
        { label: 'Employee', value: person.name },
        { label: 'Employee ID', value: person.employeeId ?? '–' },
        { label: 'Account', value: accountWords(line.walletType, line.last4) },
      ],
      [
        { label: 'Pay period', value: line.payPeriod },
        ...(line.fundingType === null
          ? [{ label: 'Batch', value: `PAY-${line.batchNumber}` }]
          : [{ label: 'Kind', value: payKind(line.fundingType) }]),
        { label: 'Paid by', value: batch.sentBy },
        ...takenBack(line, scope),
      ],
    ],
    tables: [
      await paidTable(reader, scope, line),
      ...(await recoveryTable(reader, scope, line)),
      ...breakdownTable(scope, line),
      ...(await kindTables(reader, scope, line)),
      ...(await fundingTable(reader, scope, line)),
      movedTable(scope, line, batch),
    ],
    proof: await proofOf(reader, sql<boolean>`entry.transaction_id = ${line.transactionId}`, {
      timeZone,
      noun: 'entry',
    }),
    proves: { kind: 'event', id: `${line.transactionId}.${line.walletType}` },
    questions: questionsLine(settings, 'the pay date'),
    reference: line.reference,
    fileName: `payslip-${line.reference}`,
  };
}

/** A line above a payslip whose payment, or a part of it, no longer counts; null for all others. */
function noticeOf(
  { reversedAt, reversedMinor, amountMinor }: PaidLine,
  { settings: { currency, timeZone } }: DocumentScope,
): string | null {
  if (reversedAt === null) return null;
  const what =
    reversedMinor < amountMinor ? `${formatMoney(money(reversedMinor, currency))} of this` : 'This';
  return `${what} payment was taken back on ${writeMoment(reversedAt, 'date', timeZone)}.`;
}

function takenBack(
  { reversedMinor, amountMinor, reversedAt }: PaidLine,
  { settings: { currency, timeZone } }: DocumentScope,
): Fact[] {
  if (reversedAt === null) return [];
  return [
    { label: 'Taken back on', value: writeMoment(reversedAt, 'date', timeZone) },
    ...(reversedMinor === amountMinor
      ? []
      : [
          { label: 'Taken back', value: amountCell(reversedMinor, currency) },
          {
            label: 'Left of this payment',
            value: amountCell(amountMinor - reversedMinor, currency),
          },
        ]),
  ];
}

function leadWords(fundingType: FundingType | null): string {
  return fundingType === null ? 'Net pay' : payKind(fundingType);
}

async function readLine(reader: Reader, userId: string, lineId: string): Promise<PaidLine> {
  const { rows } = await sql<PaidLine>`
    SELECT * FROM ${paidLines(userId)} AS paid WHERE id = ${lineId}`.execute(reader);
  const [line] = rows;
  if (line === undefined) throw new AppError('account_document_not_found');
  return line;
}

/** The users who sent and approved the batch with this id, which exists. */
export async function readBatch(reader: Reader, id: string): Promise<SentBatch> {
  const batch = await reader
    .selectFrom('payrollBatch')
    .innerJoin('appUser as creator', 'creator.id', 'payrollBatch.createdBy')
    .leftJoin('appUser as approver', 'approver.id', 'payrollBatch.approvedBy')
    .select(['creator.name as sentBy', 'payrollBatch.createdAt as sentAt'])
    .select(['approver.name as approvedBy', 'payrollBatch.approvedAt'])
    .where('payrollBatch.id', '=', id)
    .executeTakeFirst();
  return invariant(batch, 'a line has a batch');
}
