import { DUTY_SETTINGS } from '#contract/duties.ts';
import type { Db } from '#server/db/tx.ts';
import type { Payee } from './factories/money.ts';
import type { OfferedThings } from './offered-things.ts';

type BringAbout = (db: Db, things: OfferedThings) => Promise<unknown>;

const NOW = new Date('2026-12-08T15:00:00.000Z');
const FROM_EVERYWHERE = 1n;
const OFF = {
  payoutsStoppedAt: null,
  payoutCoolingHours: 0,
  requireApprovedIdentity: false,
  separateBankAccountMinor: null,
  separatePayoutMinor: null,
  separateReturnMinor: null,
  separateDepositMinor: null,
};

export async function undoCauses(db: Db): Promise<void> {
  await setSettings(db, OFF);
  await db.updateTable('appUser').set({ payoutsFrozenAt: null, emailSetBy: null }).execute();
  await db.updateTable('payee').set({ returnedBillId: null }).execute();
  await db.deleteFrom('secondPersonWait').execute();
}

const setSettings = (db: Db, settings: object) =>
  db.updateTable('companySettings').set(settings).execute();
const setOwner = (db: Db, { by }: Payee, person: object) =>
  db.updateTable('appUser').set(person).where('id', '=', by.actor.id).execute();
const separateAll = (db: Db) =>
  setSettings(db, {
    separateBankAccountMinor: FROM_EVERYWHERE,
    separatePayoutMinor: FROM_EVERYWHERE,
    separateReturnMinor: FROM_EVERYWHERE,
    separateDepositMinor: FROM_EVERYWHERE,
  });

/** Each cause: what brings it about, and words of a refusal that it brings. */
export const REFUSAL_CAUSES: readonly [string, BringAbout, readonly string[]][] = [
  [
    'nothing',
    () => Promise.resolve(),
    ['Someone else must decide on your own request.', 'Both photographs'],
  ],
  ['stopped payouts', (db) => setSettings(db, { payoutsStoppedAt: NOW }), ['Payouts are stopped']],
  ['frozen payouts', (db, { maya }) => setOwner(db, maya, { payoutsFrozenAt: NOW }), ['frozen']],
  [
    'the cooling-off',
    (db) => setSettings(db, { payoutCoolingHours: 24 }),
    ['This can be paid from'],
  ],
  [
    'a bill that came back',
    (db, { sentBack }) =>
      db
        .updateTable('payee')
        .set({ returnedBillId: sentBack.billId })
        .where('id', '=', sentBack.payeeId)
        .execute(),
    ['confirm'],
  ],
  [
    'separate duties',
    separateAll,
    [
      'you verified the bank account',
      'you approved this payout',
      'you paid this out',
      'you booked the return',
      'you confirmed this deposit',
    ],
  ],
  [
    'an address that an admin set',
    async (db, { maya, priya }) => {
      await separateAll(db);
      await setOwner(db, maya, { emailSetBy: priya.actor.id });
    },
    ['you set the email address'],
  ],
  [
    'an admin who cannot be a second person yet',
    async (db, { priya }) => {
      await separateAll(db);
      const since = new Date('2099-01-03T14:42:00Z');
      await db.insertInto('secondPersonWait').values({ userId: priya.actor.id, since }).execute();
      await db
        .insertInto('dutyInForce')
        .values(DUTY_SETTINGS.map((duty) => ({ duty, since: NOW })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    ['you cannot be a second person yet'],
  ],
  [
    'a person who left without an approved identity',
    (db) => setSettings(db, { requireApprovedIdentity: true }),
    ['you requested it', 'you entered this bank account'],
  ],
];
