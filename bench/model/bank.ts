import { createHash } from 'node:crypto';
import type { RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { csvStatement } from '#test/bank-desk.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { anAdmin, ask, attempt, expectReply, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { TIME_ZONE } from './company.ts';
import type { Company } from './company.ts';
import type { ModelBill, ModelFile, ModelWithdrawal } from './oracle.ts';
import { noteReturnedBill } from './payments.ts';
import { settleItems } from './payouts.ts';
import { noteReturnedPayout, secondPerson } from './requests.ts';

const BANK = '/api/admin/company-bank';
const FEE_MINOR = -150n;
/** Statuses of payments that left in a file and did not come back. */
const OUT = ['processing', 'completed', 'sent', 'paid'];

/** A file of the bank in which one payment comes back: its own, one of another amount, or a file that was booked before. */
async function bookReturn(company: Company): Promise<Attempt | null> {
  const { app, oracle, random } = company;
  const by = anAdmin(company);
  const booked = pickOne(company, oracle.returnFiles);
  const isAgain = booked !== null && random.chance(0.1);
  const file = pickOne(
    company,
    [...oracle.files.values()].filter(({ sentAt }) => sentAt !== null),
  );
  const withdrawal = pickOne(company, file?.withdrawals.filter(isOut(file)) ?? []);
  const bill = pickOne(company, file?.bills.filter(isOut(file)) ?? []);
  const item = withdrawal ?? bill;
  if (item === null) return null;
  const row = await app.db
    .selectFrom('payoutFileItem')
    .select('traceNumber')
    .where(withdrawal === null ? 'billId' : 'withdrawalId', '=', item.id)
    .where('isLive', '=', true)
    .executeTakeFirstOrThrow();
  const isOther = random.chance(0.15);
  const amountMinor = item.minor + (isOther ? 1n : 0n);
  const entry = { code: 'R03', trace: row.traceNumber, amountMinor };
  const text = isAgain
    ? booked
    : returnsFile([{ ...entry, number: oracle.returnFiles.length + 1 }]).join('\n');
  const hash = createHash('sha256').update(text, 'latin1').digest('hex');
  const approved = withdrawal === null ? 'send' : 'approve';
  const acts = { act: 'return', acts: [approved, 'complete'] } as const;
  const second = secondPerson(company, by, item, acts);
  const isBooked = !isAgain && !isOther;
  return attempt({
    by,
    path: `/api/admin/returns?fileName=returns.ach&hash=${hash}`,
    confirms: true,
    body: text,
    refusals: [
      isAgain && 'return_file_booked',
      isBooked && by.id === item.ownerId && 'own_request',
      isBooked && second.isNeeded && 'second_person_needed',
    ],
    done() {
      oracle.returnFiles.push(text);
      if (isOther) return;
      second.count();
      if (withdrawal !== null) noteReturnedPayout(company, withdrawal, by);
      else if (bill !== null) noteReturnedBill(company, bill, by);
    },
  });
}

function isOut({ id }: ModelFile) {
  return ({ fileId, status }: ModelWithdrawal | ModelBill) => fileId === id && OUT.includes(status);
}

/** Lines that the bank booked: deposits, payout files and its fee. Deposits and files are matched by their references. */
async function importStatement(company: Company): Promise<Attempt | null> {
  const { oracle, random, bankId } = company;
  if (bankId === null) return null;
  const { statement } = oracle;
  const by = anAdmin(company);
  const isKnown = (text: string) => statement.lines.some((line) => line.text === text);
  const references = await readReferences(company);
  const named = references.filter(({ text }) => !isKnown(text) && random.chance(0.5)).slice(0, 4);
  const fee = { text: `Monthly fee ${statement.lines.length}`, minor: FEE_MINOR };
  const rows = [...named, fee];
  const written = rows.map(({ text, minor }) => [text, minor] as const);
  const isGap = statement.lines.length > 0 && random.chance(0.05);
  const opening = statement.closingMinor + (isGap ? 1n : 0n);
  const text = csvStatement(opening, written, company.today());
  const path = `${BANK}/accounts/${bankId}`;
  const read = await ask<RouteReply<'adminCheckStatement'>>(
    company,
    by,
    'POST',
    `${path}/statement-check`,
    text,
  );
  if (isGap) {
    if ((read as { code?: string }).code === 'statement_gap') return null;
    throw new Error(`a statement that begins with ${opening} was checked: ${JSON.stringify(read)}`);
  }
  const { hash } = expectReply(read, 'check of a statement');
  const isStale = random.chance(0.05);
  const query = `fileName=a.csv&hash=${isStale ? 'ab'.repeat(32) : hash}`;
  return attempt<RouteReply<'adminImportStatement'>>({
    by,
    path: `${path}/statements?${query}`,
    body: text,
    confirms: true,
    refusals: [isStale && 'conflict'],
    done({ lines, matched }) {
      if (lines !== rows.length || matched !== named.length) {
        throw new Error(
          `${lines} lines, ${matched} matched; the oracle ${rows.length}, ${named.length}`,
        );
      }
      if (statement.lines.length === 0) statement.startMinor = -owedBefore(company);
      for (const line of rows) statement.lines.push({ ...line, isMatched: line !== fee });
      statement.closingMinor += rows.reduce((sum, { minor }) => sum + minor, 0n);
      for (const { file } of named) {
        if (file?.status !== 'sent') continue;
        file.status = 'settled';
        settleItems(file);
      }
    },
  });
}

interface Named {
  text: string;
  minor: bigint;
  file: ModelFile | null;
}

/** Approved deposits and sent files, as the bank names them. */
async function readReferences({ app, oracle }: Company): Promise<Named[]> {
  const deposits = await app.db.selectFrom('deposit').select(['id', 'reference']).execute();
  const files = await app.db.selectFrom('payoutFile').select(['id', 'number']).execute();
  return [
    ...deposits.flatMap(({ id, reference }): Named[] => {
      const known = oracle.deposits.get(id);
      if (known?.status !== 'approved') return [];
      return [{ text: `ACH CREDIT ${reference}`, minor: known.minor, file: null }];
    }),
    ...files.flatMap(({ id, number }): Named[] => {
      const file = oracle.files.get(id);
      if (file === undefined || file.sentAt === null) return [];
      const items = [...file.withdrawals, ...file.bills];
      const minor = -items.reduce((sum, one) => sum + one.minor, 0n);
      return [{ text: `ACH SETTLEMENT ${String(number).padStart(4, '0')}`, minor, file }];
    }),
  ];
}

/** Owed before the day on which the first statement begins. */
function owedBefore({ oracle, today }: Company): bigint {
  const earlier = [...oracle.accounts.values()]
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => dayIn(TIME_ZONE, at) < today());
  return earlier.reduce((sum, { minor }) => sum + minor, 0n);
}

/** Matches a fee by hand, or takes that back. */
async function matchFee(company: Company): Promise<Attempt | null> {
  const { app, oracle, random } = company;
  const fees = oracle.statement.lines.filter(({ text }) => text.startsWith('Monthly fee'));
  const fee = pickOne(company, fees);
  if (fee === null) return null;
  const { id } = await app.db
    .selectFrom('bankLine')
    .select('id')
    .where('text', '=', fee.text)
    .executeTakeFirstOrThrow();
  const by = anAdmin(company);
  if (random.chance(0.25)) {
    return attempt({
      by,
      path: `${BANK}/lines/${id}/unmatch`,
      refusals: [!fee.isMatched && 'bank_line_unmatched'],
      done: () => {
        fee.isMatched = false;
      },
    });
  }
  const isWrong = random.chance(0.1);
  const minor = String(FEE_MINOR + (isWrong ? 1n : 0n));
  return attempt({
    by,
    path: `${BANK}/lines/${id}/match`,
    body: { items: [{ kind: 'fee', itemId: null, minor }] },
    refusals: [fee.isMatched && 'bank_line_matched', isWrong && 'bank_items_sum'],
    done: () => {
      fee.isMatched = true;
    },
  });
}

export const bankMoves: readonly Move[] = [
  { weight: 5, make: bookReturn },
  { weight: 4, make: importStatement },
  { weight: 3, make: matchFee },
];
