import { createHash } from 'node:crypto';
import type { PayrollFileCheck } from '#contract/api.ts';
import { decimalAmount, formatMoney, money } from '#contract/money.ts';
import type { PayrollFileMapping } from '#contract/payroll-file.ts';
import { PAYROLL_FILE_ABSENT, PAYROLL_FILE_SHOWN } from '#contract/payroll-file.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { AbsentPerson } from './absent-people.ts';
import { checkAmounts } from './amounts-file.ts';
import type { CheckedAmounts, FilledDraft } from './amounts-file.ts';

type ReadFile = Parameters<typeof checkAmounts>[3];

/** Amounts that a file would fill in for one type of wallet. */
export interface CheckedWallet extends CheckedAmounts {
  draft: FilledDraft;
}

interface CheckedPayroll extends Omit<CheckedAmounts, 'amounts' | 'blank'> {
  wallets: readonly CheckedWallet[];
}

/**
 * Checks a file against a draft and its parts: each type of wallet by its column, as one file. A part without a column is
 * left as it is. An error that each column has, such as an unknown person, is one error.
 */
export async function checkWallets(
  reader: Reader,
  drafts: readonly FilledDraft[],
  settings: CompanySettings,
  { mapping, ...file }: ReadFile,
): Promise<CheckedPayroll> {
  const wallets: CheckedWallet[] = [];
  for (const [at, draft] of drafts.entries()) {
    const ofDraft = at === 0 ? mapping : mappingOf(mapping, draft);
    if (ofDraft.amount === null && at > 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const checked = await checkAmounts(reader, draft, settings, { ...file, mapping: ofDraft });
    wallets.push({ ...checked, draft });
  }
  const [first, ...others] = wallets;
  const { check, ...one } = invariant(first, 'the draft itself is checked');
  const { currency } = check.total;
  const sums = wallets.map(({ draft, amounts, check: { total, filled } }) => ({
    walletType: draft.walletType,
    employees: amounts.length,
    total,
    filled,
  }));
  const columns = { ...mapping, deductions: [...mapping.deductions] };
  if (others.length === 0) {
    return { ...one, wallets, check: { ...check, columns, wallets: sums } };
  }
  const problems = mergedProblems([
    ...wallets.flatMap((wallet) => wallet.problems),
    ...aboveTogether(wallets, settings),
  ]);
  const absent = mergedAbsent(wallets);
  const totalMinor = wallets.reduce((sum, wallet) => sum + wallet.totalMinor, 0n);
  const people = new Set(wallets.flatMap(({ amounts }) => amounts.map(({ userId }) => userId)));
  const blankElsewhere = others.map((other) => new Set(other.blank));
  const blank = one.blank.filter((row) => blankElsewhere.every((rows) => rows.has(row)));
  const shown = (minor: bigint) => money(minor, currency);
  return {
    wallets,
    totalMinor,
    problems,
    absent,
    check: {
      ...check,
      columns,
      wallets: sums,
      total: shown(totalMinor),
      counts: {
        ...check.counts,
        employees: people.size,
        blank: blank.length,
        problems: problems.length,
        absent: absent.length,
      },
      filled: shown(sums.reduce((sum, { filled }) => sum + BigInt(filled.minor), 0n)),
      leftOut: check.leftOut.map((row, at) => ({ ...row, amount: leftOutOf(wallets, at) })),
      problems: problems.slice(0, PAYROLL_FILE_SHOWN),
      lastOn: newestDay(wallets),
      absent: absent
        .slice(0, PAYROLL_FILE_ABSENT)
        .map(({ employeeNumber, lastMinor, ...person }) => ({
          ...person,
          employeeId: employeeNumber,
          last: shown(lastMinor),
        })),
      absentLast: shown(absent.reduce((sum, { lastMinor }) => sum + lastMinor, 0n)),
      hash: hashOf(wallets),
    },
  };
}

/** The columns by which a part is read. A breakdown is of the draft's own payment. */
function mappingOf(mapping: PayrollFileMapping, { walletType }: FilledDraft): PayrollFileMapping {
  return { ...mapping, amount: mapping[walletType], gross: null, deductions: [] };
}

/** SHA-256 over what is seen of each type of wallet, and the version of its draft: nothing of a part is replaced unseen. */
function hashOf(wallets: readonly CheckedWallet[]): string {
  const parts = wallets.map(({ draft, check }) => [draft.walletType, draft.version, check.hash]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function mergedProblems(problems: PayrollFileCheck['problems']): PayrollFileCheck['problems'] {
  const keyOf = ({ row, column, message }: (typeof problems)[number]) =>
    `${row} ${column} ${message}`;
  const merged = new Map(problems.map((problem) => [keyOf(problem), problem]));
  return [...merged.values()].toSorted((one, other) => one.row - other.row);
}

/** An error for each person whose wallets together get more than the limit for one person, though none does alone. */
function aboveTogether(
  wallets: readonly CheckedWallet[],
  { payrollLineLimitMinor: limitMinor }: CompanySettings,
): PayrollFileCheck['problems'] {
  const sums = new Map<string, { row: number; who: string; minor: bigint; mostMinor: bigint }>();
  for (const { userId, row, who, minor } of wallets.flatMap(({ amounts }) => amounts)) {
    const sum = sums.get(userId) ?? { row, who, minor: 0n, mostMinor: 0n };
    const mostMinor = minor > sum.mostMinor ? minor : sum.mostMinor;
    sums.set(userId, { ...sum, minor: sum.minor + minor, mostMinor });
  }
  const currency = invariant(wallets[0], 'the draft itself is checked').draft.currency;
  const limit = formatMoney(money(limitMinor, currency));
  return [...sums.values()]
    .filter(({ minor, mostMinor }) => minor > limitMinor && mostMinor <= limitMinor)
    .map(({ row, who, minor }) => ({
      row,
      who,
      column: 'All wallets',
      value: decimalAmount(minor),
      message: new AppError('payroll_line_limit', { limit }).message,
    }));
}

/** Everyone who is absent, by name, with what the last payrolls of all types paid them. */
function mergedAbsent(wallets: readonly CheckedWallet[]): AbsentPerson[] {
  const merged = new Map<string, AbsentPerson>();
  for (const person of wallets.flatMap(({ absent }) => absent)) {
    const before = merged.get(person.id)?.lastMinor ?? 0n;
    merged.set(person.id, { ...person, lastMinor: before + person.lastMinor });
  }
  return [...merged.values()];
}

/** Sum of a row that is left out; null where none of its amounts can be read. */
function leftOutOf(
  wallets: readonly CheckedWallet[],
  at: number,
): PayrollFileCheck['leftOut'][number]['amount'] {
  const amounts = wallets.flatMap(({ check }) => check.leftOut[at]?.amount ?? []);
  const [first] = amounts;
  if (first === undefined) return null;
  return money(
    amounts.reduce((sum, { minor }) => sum + BigInt(minor), 0n),
    first.currency,
  );
}

function newestDay(wallets: readonly CheckedWallet[]): string | null {
  return (
    wallets
      .flatMap(({ check }) => check.lastOn ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}
