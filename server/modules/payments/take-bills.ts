import { dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { countEach } from '#server/lib/each-alone.ts';
import { AppError } from '#server/lib/errors.ts';
import { act } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { bills } from './bill.ts';

/** Bills that are read at a time. */
const PAGE_SIZE = 1_000;

/** Why a bill is left for later: it was changed in between, or its money may not leave yet. */
const LATER = [
  'bill_wrong_status',
  'payouts_stopped',
  'payouts_frozen',
  'payout_cooling_off',
  'payee_not_confirmed',
];

/**
 * Takes the bills whose day has come for payout: from then on they wait for an admin and their owners
 * cannot change them. Each is a transaction of its own that locks the bill and finds it scheduled, so
 * that a killed process leaves the rest to the next run and two concurrent runs take none twice. A bill
 * whose money may not leave yet (frozen, cooling-off, payee not confirmed, payouts stopped) stays
 * scheduled and is asked again, as is one that fails; neither keeps another from being taken.
 *
 * @returns how many were taken
 * @throws AggregateError once all that could be taken are
 */
export async function takeBills(
  db: Db,
  services: Pick<Services, 'clock'>,
  { pageSize = PAGE_SIZE }: { pageSize?: number } = {},
): Promise<number> {
  const { timeZone } = await readSettings(db);
  const today = dayIn(timeZone, services.clock.now());
  const due = dueBills(db, today, pageSize);
  return countEach(due, 'could not be taken', (id) => takeBill(db, services, id));
}

/** The bills whose day has come, the longest due first; those that stay scheduled come once. */
async function* dueBills(db: Db, today: string, pageSize: number): AsyncGenerator<string> {
  const due = db
    .selectFrom('bill')
    .select(['id', 'payOn'])
    .where('status', '=', 'scheduled')
    .where('payOn', '<=', today)
    .orderBy('payOn')
    .orderBy('id')
    .limit(pageSize);
  let rows = await due.execute();
  for (;;) {
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    rows = await due
      .where((eb) => eb(eb.refTuple('payOn', 'id'), '>', eb.tuple(last.payOn, last.id)))
      .execute();
  }
}

async function takeBill(db: Db, services: Pick<Services, 'clock'>, id: string): Promise<boolean> {
  try {
    await withTx(db, (tx) => act(tx, services, { actor: 'system' }, bills, 'take', { id }));
    return true;
  } catch (error) {
    if (error instanceof AppError && LATER.includes(error.code)) return false;
    throw error;
  }
}
