import { describe, expect, it } from 'vitest';
import { MAX_PAYEES } from '#contract/limits.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { personPaymentsFixture } from '#test/person-payments-fixture.ts';
import { listPayees, removePayee } from './payees.ts';

let db: Db;
const { services, run, payer, colleague, pay, availableOf } = personPaymentsFixture((company) => {
  ({ db } = company);
});

describe('a saved payee', () => {
  it('is listed once, with what was paid last, until it is removed', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const ana = await colleague('ana');
    await pay(maya, keiko, 100n, { savePayee: true });
    await pay(maya, keiko, 250n, { savePayee: true });
    await pay(maya, ana, 300n, { savePayee: true });
    const { items, cannotPay, cannotSave } = await listPayees(db, services, maya.by.actor.id);
    expect([cannotPay, cannotSave]).toEqual([null, null]);
    expect(items.map(({ name }) => name)).toEqual(['ana Tanabe', 'Keiko Tanabe']);
    const [, saved] = items;
    expect(saved?.lastPaid).toMatchObject({ amount: { currency: 'USD' } });
    const remove = (by: CommandContext) =>
      run((tx) => removePayee(tx, services, by, saved?.id ?? ''));
    await expect(remove(keiko)).rejects.toMatchObject({ code: 'payee_not_found' });
    await remove(maya.by);
    await expect(remove(maya.by)).rejects.toMatchObject({ code: 'payee_not_found' });
    const left = await listPayees(db, services, maya.by.actor.id);
    expect(left.items.map(({ name }) => name)).toEqual(['ana Tanabe']);
    await pay(maya, keiko, 1n, { savePayee: true });
    expect((await listPayees(db, services, maya.by.actor.id)).items).toHaveLength(2);
  });

  it('is refused past the most, and the payment with it', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const others = await Promise.all(Array.from({ length: MAX_PAYEES }, () => createPersonBy(db)));
    const createdAt = services.clock.now();
    await db
      .insertInto('payee')
      .values(
        others.map(({ actor }) => ({
          id: newId(),
          userId: maya.by.actor.id,
          kind: 'colleague' as const,
          colleagueId: actor.id,
          createdAt,
        })),
      )
      .execute();
    const { cannotSave } = await listPayees(db, services, maya.by.actor.id);
    expect(cannotSave).toBe('You have 100 saved payees. Remove one to save another.');
    await expect(pay(maya, keiko, 1n, { savePayee: true })).rejects.toMatchObject({
      code: 'payee_limit',
    });
    expect(await availableOf(maya.by)).toBe('481236');
    await pay(maya, keiko, 1n);
  });
});
