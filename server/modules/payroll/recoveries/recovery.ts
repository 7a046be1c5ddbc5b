import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { RecoveryStatus } from '#contract/recovery.ts';
import { recovery } from '#contract/things/recovery.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { Kept, KeptRow, Question } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;

type Row = KeptRow<RecoveryStatus> & {
  name: string;
  currency: Currency;
  amountMinor: bigint;
  recoveredMinor: bigint;
  instalmentMinor: bigint;
  answerBy: string;
};

/** Facts by which accepting is refused. */
interface Facts {
  answerBy: string;
}

/** Work of the server at each act of a recovery; the acts themselves are declared in the contract. */
export const recoveries: Kept<typeof recovery, Row, Clocked, Facts> = {
  thing: recovery,
  table: 'recovery',
  lock,
  facts: ({ recoveredMinor }) => ({ recoveredMinor: recoveredMinor.toString() }),
  words: ({ name, currency, amountMinor, recoveredMinor, instalmentMinor, answerBy }) => ({
    name,
    day: writeDay(answerBy),
    amount: formatMoney(money(amountMinor, currency)),
    left: formatMoney(money(amountMinor - recoveredMinor, currency)),
    instalment: formatMoney(money(instalmentMinor, currency)),
  }),
  // The employee's page, where administrators see it.
  relatedId: ({ userId }) => userId,
  guardFacts: { columns: { answerBy: sql`request.answer_by` } },
  guards: { accept: refusalOfDay },
  effects: {
    end: ({ input: { reason = '' } }) => Promise.resolve({ details: { reason } }),
  },
};

/** Poster and reversals lock the row too, so that an instalment is taken before an act or after it. */
function lock(tx: Tx, id: string, _act: string, ownerId?: string): Promise<Row | undefined> {
  return tx
    .selectFrom('recovery')
    .innerJoin('appUser', 'appUser.id', 'recovery.userId')
    .select(['recovery.id', 'userId', 'recovery.status', 'appUser.name', 'recovery.currency'])
    .select(['amountMinor', 'recoveredMinor', 'instalmentMinor', 'answerBy'])
    .where('recovery.id', '=', id)
    .$if(ownerId !== undefined, (query) => query.where('userId', '=', ownerId ?? ''))
    .forNoKeyUpdate('recovery')
    .executeTakeFirst() as Promise<Row | undefined>;
}

function refusalOfDay({ known, settings, now }: Question<Facts>): AppError | null {
  return known.answerBy < dayIn(settings.timeZone, now)
    ? new AppError('recovery_late', { day: writeDay(known.answerBy) })
    : null;
}
