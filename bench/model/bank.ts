import type { RouteReply } from '#contract/api.ts';
import { csvStatement } from '#test/bank-desk.ts';
import { anAdmin, ask, attempt, expectReply, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { Company } from './company.ts';
import type { ModelFile } from './bank-things.ts';
import { totalOf } from './may-leave.ts';
import { settleItems } from './payouts.ts';

const BANK = '/api/admin/company-bank';
const FEE_MINOR = -150n;

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
  // After a change of the time zone it may be the day before.
  const day = company.today() > statement.lastDay ? company.today() : statement.lastDay;
  const text = csvStatement(opening, written, day);
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
      statement.lastDay = day;
      for (const line of rows) statement.lines.push({ ...line, isMatched: line !== fee });
      statement.closingMinor += rows.reduce((sum, { minor }) => sum + minor, 0n);
      for (const { file } of named) {
        if (file?.status !== 'sent') continue;
        file.status = 'settled';
        settleItems(company, file);
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
      // A file of prenotes alone has no amount, so it is on no statement.
      if (file === undefined || file.sentAt === null || totalOf(file) === 0n) return [];
      const minor = -totalOf(file);
      return [{ text: `ACH SETTLEMENT ${String(number).padStart(4, '0')}`, minor, file }];
    }),
  ];
}

/** Owed before the day on which the first statement begins. */
function owedBefore({ oracle, dayOf, today }: Company): bigint {
  const earlier = [...oracle.accounts.values()]
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => dayOf(at) < today());
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
  { weight: 4, make: importStatement },
  { weight: 3, make: matchFee },
];
