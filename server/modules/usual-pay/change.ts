import { sql } from 'kysely';
import type { UsualPayChange } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import type { UsualPayStatus } from '#contract/usual-pay.ts';
import type { WalletType } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { Doing, Kept, KeptRow, Question } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { isPaidSql } from './paid.ts';

type Clocked = Pick<Services, 'clock'>;

/** A line of a change, as the audit trail states it: `salary 306000 318000`. */
export interface ChangedLine {
  walletType: WalletType;
  beforeMinor: bigint;
  amountMinor: bigint;
}

/** Facts of a change that its record states, and verification compares. */
export function detailsOf(change: Omit<NewChange, 'id' | 'userId' | 'createdBy' | 'confirmedBy'>) {
  const { validFrom, reason, currency, needsSecond, comparedMinor, lines } = change;
  return {
    validFrom,
    reason,
    currency,
    needsSecond,
    comparedMinor: comparedMinor.toString(),
    lines: lines.map(recordedLine).toSorted(),
  };
}

/** A change with its lines, as it is made. */
export interface NewChange {
  id: string;
  userId: string;
  validFrom: string;
  reason: string;
  currency: string;
  comparedMinor: bigint;
  needsSecond: boolean;
  createdBy: string;
  /** The second administrator where it is confirmed when it is made; null where it waits for one, or needs none. */
  confirmedBy: string | null;
  lines: readonly ChangedLine[];
}

function isCounted({ needsSecond, confirmedBy }: Pick<NewChange, 'needsSecond' | 'confirmedBy'>) {
  return !needsSecond || confirmedBy !== null;
}

/** Changes in one statement. */
const CHUNK_ROWS = 500;

/** Writes changes with their lines. Those that need no other administrator, or were confirmed by one, count. */
export async function insertChanges(
  tx: Tx,
  changes: readonly NewChange[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += CHUNK_ROWS) {
    const chunk = changes.slice(start, start + CHUNK_ROWS);
    await tx
      .insertInto('usualPayChange')
      .values(
        chunk.map(({ lines: _lines, confirmedBy, ...change }) => ({
          ...change,
          status: isCounted({ ...change, confirmedBy }) ? 'confirmed' : 'waiting',
          createdAt: now,
          updatedAt: now,
          ...(confirmedBy !== null && { movedBy: confirmedBy, movedAt: now }),
        })),
      )
      .execute();
    await tx
      .insertInto('usualPayLine')
      .values(
        chunk.flatMap((change) =>
          change.lines.map((line) => ({
            changeId: change.id,
            userId: change.userId,
            validFrom: change.validFrom,
            counts: isCounted(change),
            ...line,
          })),
        ),
      )
      .execute();
  }
}

/** Lines as an administrator sees them. */
export function presentLines(
  lines: readonly (Pick<ChangedLine, 'walletType'> &
    Record<'beforeMinor' | 'amountMinor', bigint | string>)[],
  currency: Currency,
): UsualPayChange['lines'] {
  return lines.map(({ walletType, beforeMinor, amountMinor }) => ({
    walletType,
    before: money(BigInt(beforeMinor), currency),
    amount: money(BigInt(amountMinor), currency),
  }));
}

function recordedLine({ walletType, beforeMinor, amountMinor }: ChangedLine): string {
  return `${walletType} ${beforeMinor} ${amountMinor}`;
}

type Row = KeptRow<UsualPayStatus> & { name: string; validFrom: string };

/** Facts by which confirming and taking back are refused. */
interface Facts {
  proposedBy: string;
  validFrom: string;
  isPaid: boolean;
}

/** Work of the server at each act of a change of usual pay; the acts themselves are declared in the contract. */
export const usualPayChanges: Kept<typeof usualPayChange, Row, Clocked, Facts> = {
  thing: usualPayChange,
  table: 'usualPayChange',
  lock,
  facts: () => ({}),
  words: ({ name, validFrom }) => ({ name, day: writeDay(validFrom) }),
  // The employee's page, where the change is decided.
  relatedId: ({ userId }) => userId,
  guardFacts: {
    joins: sql`JOIN app_user AS owner ON owner.id = request.user_id`,
    columns: {
      proposedBy: sql`request.created_by`,
      validFrom: sql`request.valid_from`,
      isPaid: isPaidSql('owner'),
    },
  },
  guards: { confirm: refusalToConfirm, withdraw: refusalToWithdraw },
  effects: {
    decline: ({ input: { reason = '' } }) => Promise.resolve({ details: { reason } }),
  },
  followedBy: { confirm: countLines },
};

/** Locks the person first, as making a change does, so that amounts of a day do not change meanwhile. */
async function lock(tx: Tx, id: string): Promise<Row | undefined> {
  const find = tx
    .selectFrom('usualPayChange')
    .innerJoin('appUser', 'appUser.id', 'usualPayChange.userId')
    .select(['usualPayChange.id', 'userId', 'status', 'validFrom', 'appUser.name'])
    .where('usualPayChange.id', '=', id);
  const found = await find.executeTakeFirst();
  if (found === undefined) return undefined;
  await lockUser(tx, found.userId);
  return find.forNoKeyUpdate('usualPayChange').executeTakeFirst();
}

/** Amounts of days that are over never change. */
function refusalToConfirm({ known, settings, now }: Question<Facts>): AppError | null {
  if (known.validFrom < dayIn(settings.timeZone, now)) {
    return new AppError('usual_pay_late', { day: writeDay(known.validFrom) });
  }
  return known.isPaid ? null : new AppError('usual_pay_not_paid');
}

function refusalToWithdraw({ known, actorId }: Question<Facts>): AppError | null {
  return known.proposedBy === actorId() ? null : new AppError('usual_pay_of_another');
}

async function countLines({ tx, row }: Doing<Row, Clocked>): Promise<void> {
  await tx
    .updateTable('usualPayLine')
    .set({ counts: true })
    .where('changeId', '=', row.id)
    .execute();
}
