import { sql } from 'kysely';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { receiptId } from '#contract/account-documents.ts';
import type { AccountDocument, HistoryItem } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { historyScope, presentEvent, readOwnRows } from '#server/modules/history/index.ts';
import type { DocumentScope } from './scope.ts';
import { proofOf } from './seals.ts';
import {
  accountWords,
  amountCell,
  companyHead,
  given,
  questionsLine,
  writeDay,
  writeMoment,
  ENTRY_COLUMNS,
} from './words.ts';
import type { Fact } from './words.ts';

/**
 * Receipt of one posted event of the person's history. An event that is not posted has none,
 * because no money moved.
 *
 * @throws {AppError} `account_document_not_found` also for payroll, whose document is the payslip
 */
export async function makeReceipt(
  reader: Reader,
  { person, settings }: DocumentScope,
  eventId: string,
): Promise<AccountDocument> {
  const [row] = await readOwnRows(
    reader,
    [eventId],
    await historyScope(reader, person.id, settings),
  );
  if (row === undefined || row.status !== 'completed' || row.payrollLineId !== null) {
    throw new AppError('account_document_not_found');
  }
  const { timeZone } = settings;
  const item = presentEvent(row);
  const at = writeMoment(row.at, 'moment', timeZone);
  return {
    id: receiptId(item.id),
    kind: 'receipt',
    title: 'Receipt',
    notice: null,
    subtitle: item.description,
    company: companyHead(settings),
    lead: {
      label: leadLabel(item),
      amount: item.amount,
      isSigned: true,
    },
    facts: [
      [
        { label: 'Account holder', value: person.name },
        { label: 'Account', value: accountWords(item.account.type, item.account.last4) },
        { label: 'Type', value: TRANSACTION_TYPE_LABELS[item.type] },
        { label: 'Date', value: at },
        ...given('Processed by', item.processedBy),
      ],
      [
        { label: 'Reference', value: item.reference },
        ...given('Request', item.requestReference),
        ...given(
          'Left the bank on',
          item.leftBankOn === null ? null : writeDay(item.leftBankOn, 'date'),
        ),
        ...given('Bank reference', item.bankReference),
        ...given('Reverses', item.reversedReference),
        ...given('Note', item.note),
        ...(await reversalOf(reader, item)),
        ...(row.balanceAfterMinor === null
          ? []
          : [
              {
                label: 'Balance after',
                value: amountCell(row.balanceAfterMinor, row.currency),
              },
            ]),
      ],
    ],
    tables: await depositTable(reader, item, person.id),
    proof: [
      `Transaction ${item.transactionId}`,
      ...(await proofOf(reader, sql<boolean>`entry.transaction_id = ${item.transactionId}`, {
        timeZone,
        noun: 'entry',
      })),
    ],
    proves: { kind: 'event', id: item.id },
    questions: questionsLine(settings, writeMoment(row.at, 'date', timeZone)),
    reference: item.reference,
    fileName: `receipt-${item.reference}`,
  };
}

function leadLabel({ type, amount }: HistoryItem): string {
  if (type === 'move') return 'Moved';
  return amount.minor.startsWith('-') ? 'Money out' : 'Money in';
}

/**
 * The event's reversal, if there is one. Without it the receipt would look as if the event still
 * counted.
 */
async function reversalOf(
  reader: Reader,
  { transactionId }: Pick<HistoryItem, 'transactionId'>,
): Promise<Fact[]> {
  const reversal = await reader
    .selectFrom('ledgerTransaction')
    .select('reference')
    .where('reversesId', '=', transactionId)
    .executeTakeFirst();
  return given('Reversed by', reversal?.reference ?? null);
}

/** Cost of a deposit: its fee never reaches the account. */
async function depositTable(
  reader: Reader,
  { type, transactionId }: HistoryItem,
  userId: string,
): Promise<AccountDocument['tables']> {
  if (type !== 'deposit') return [];
  const deposit = await reader
    .selectFrom('deposit')
    .select(['amountMinor', 'feeMinor', 'currency', 'reference'])
    .where('ledgerTransactionId', '=', transactionId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (deposit === undefined) return [];
  const { amountMinor, feeMinor, currency, reference } = deposit;
  return [
    {
      title: 'What you sent',
      columns: ENTRY_COLUMNS,
      rows: [
        ['Arrived in your account', reference, amountCell(amountMinor, currency)],
        ['Fee', '', amountCell(feeMinor, currency)],
      ],
      total: ['You sent', '', { amount: money(amountMinor + feeMinor, currency), isSigned: false }],
      omitted: 0,
    },
  ];
}
