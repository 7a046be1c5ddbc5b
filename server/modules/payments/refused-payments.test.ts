import { describe, expect, it } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { personPaymentsFixture } from '#test/person-payments-fixture.ts';

let db: Db;
let admin: CommandContext;
const { services, run, payer, colleague, pay, availableOf } = personPaymentsFixture((company) => {
  ({ db, admin } = company);
});

describe('people who cannot be paid', () => {
  it('is oneself, also into another wallet', async () => {
    const maya = await payer();
    await expect(pay(maya, maya.by, 1n)).rejects.toMatchObject({ code: 'own_payment' });
  });

  it('is nobody, an admin, an applicant, someone deactivated, frozen or without the wallet', async () => {
    const maya = await payer();
    const deactivated = await colleague();
    await run((tx) =>
      deactivatePerson(tx, services, admin, { id: deactivated.actor.id, reason: 'Left' }),
    );
    const frozen = await colleague();
    await run((tx) => freezePayouts(tx, services, frozen));
    const applicant = await colleague();
    await db
      .updateTable('appUser')
      .set({ acceptedAt: null })
      .where('id', '=', applicant.actor.id)
      .execute();
    const walletless = await createPersonBy(db);
    const saver = await createPersonBy(db);
    await fundedWallet(db, services, saver, 0n, 'savings');
    const closed = await colleague();
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date() })
      .where('userId', '=', closed.actor.id)
      .execute();
    const unknown = { actor: { ...admin.actor, id: newId() } };
    for (const to of [unknown, admin, deactivated, frozen, applicant, walletless, saver, closed]) {
      await expect(pay(maya, to, 1n), to.actor.name).rejects.toMatchObject({
        code: 'recipient_not_found',
        message: 'No one with this address can be paid. Check the spelling.',
      });
    }
    expect(await availableOf(maya.by)).toBe('481236');
  });
});

describe('people who cannot pay', () => {
  it('is someone without an approved identity, while the company asks for one', async () => {
    const by = await createPersonBy(db);
    const wallet = await fundedWallet(db, services, by, 500n);
    const keiko = await colleague();
    await expect(pay({ by, wallet }, keiko, 1n)).rejects.toMatchObject({
      code: 'identity_not_approved',
    });
    const require = (requireApprovedIdentity: boolean) =>
      run((tx) => updateSettings(tx, services, admin, { requireApprovedIdentity }));
    await require(false);
    await pay({ by, wallet }, keiko, 1n);
    await require(true);
  });

  it('is an applicant', async () => {
    const maya = await payer();
    await db
      .updateTable('appUser')
      .set({ acceptedAt: null })
      .where('id', '=', maya.by.actor.id)
      .execute();
    await expect(pay(maya, await colleague(), 1n)).rejects.toMatchObject({
      code: 'payer_not_accepted',
    });
  });

  it('is someone whose payouts are frozen, or whose password was reset recently', async () => {
    const maya = await payer();
    const keiko = await colleague();
    await run((tx) => updateSettings(tx, services, admin, { payoutCoolingHours: 24 }));
    await db
      .updateTable('appUser')
      .set({ passwordResetAt: services.clock.now() })
      .where('id', '=', maya.by.actor.id)
      .execute();
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({
      code: 'payment_cooling_off',
      message: expect.stringContaining('You can pay from Dec 9, 2026, 10:00'),
    });
    services.clock.set('2026-12-09T15:00:00.000Z');
    await pay(maya, keiko, 1n);
    await run((tx) => freezePayouts(tx, services, maya.by));
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({ code: 'own_payouts_frozen' });
  });

  it('is everybody while the books are not sound', async () => {
    const maya = await payer();
    const stop = (payoutsStoppedAt: Date | null) =>
      db.updateTable('companySettings').set({ payoutsStoppedAt }).execute();
    await stop(new Date());
    await expect(pay(maya, await colleague(), 1n)).rejects.toMatchObject({
      code: 'payments_stopped',
    });
    await stop(null);
  });
});
