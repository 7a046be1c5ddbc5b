import { describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { call, emailChangeFixture, newAddress, refusal } from '#test/email-change-fixture.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestDb } from '#test/open-db.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import type { Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { reportEmailChange } from './report-email-change.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { setEmailOf } from '../email-change/set-email.ts';

let opened: TestDb;
let identity: Identity;
const { services, employee, isAlive } = emailChangeFixture((company) => {
  ({ opened, identity } = company);
});

describe('"this was not me" of the former address', () => {
  test('takes the address back, freezes payouts and shuts everybody out until a new password', async () => {
    const person = await employee();
    const thiefs = newAddress();
    await person.request(thiefs);
    await person.confirm(await person.changeToken(), person.here);
    const token = await person.reportToken();
    await reportEmailChange(identity, call(), token);
    await reportEmailChange(identity, call(), token);
    const row = await person.row();
    expect(row.email).toBe(person.email);
    expect(row.payoutsFrozenAt).not.toBeNull();
    expect(await isAlive(person.here)).toBe(false);
    expect(await person.entersWith(thiefs)).toBe(false);
    expect(await person.entersWith(person.email)).toBe(false);
    const reset = (await mailLinks(identity).resetToken(person.email)) ?? '';
    await resetPassword(identity, call(), { token: reset, password: 'Another-one-2' });
    expect(await person.entersWith(person.email, 'Another-one-2')).toBe(true);
    expect((await person.row()).payoutsFrozenAt).not.toBeNull();
  });

  test('takes back a chain of changes, and the thief cannot take that back', async () => {
    const person = await employee();
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const owners = await person.reportToken();
    services.clock.set(new Date(services.clock.now().getTime() + 1_000).toISOString());
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const thiefs = await person.reportToken();
    await reportEmailChange(identity, call(), thiefs);
    await reportEmailChange(identity, call(), owners);
    await reportEmailChange(identity, call(), thiefs);
    expect(await person.row()).toMatchObject({ email: person.email });
  });

  test('leaves the account to the owner after later changes alone', async () => {
    const person = await employee();
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const owners = await person.reportToken();
    services.clock.set(new Date(services.clock.now().getTime() + 1_000).toISOString());
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    await reportEmailChange(identity, call(), owners);
    await reportEmailChange(identity, call(), await person.reportToken());
    expect(await person.row()).toMatchObject({ email: person.email });
  });

  test('freezes also where another person has the former address by now', async () => {
    const person = await employee();
    const changed = newAddress();
    await person.request(changed);
    await person.confirm(await person.changeToken());
    await createEmployee(opened.db, services, { email: person.email });
    await reportEmailChange(identity, call(), await person.reportToken());
    const row = await person.row();
    expect(row.email).toBe(changed);
    expect(row.payoutsFrozenAt).not.toBeNull();
  });

  test('freezes also where another person takes the former address at the same moment', async () => {
    const person = await employee();
    const changed = newAddress();
    await person.request(changed);
    await person.confirm(await person.changeToken());
    const token = await person.reportToken();
    const [admin, other] = [await createAdmin(opened.db, services), await employee()];
    const reporting = await withTx(opened.db, async (tx) => {
      await setEmailOf(tx, services, admin.by, {
        id: other.id,
        email: person.email,
        seen: other.email,
        reason: 'A new mailbox',
      });
      return startAndBlock(opened.db, () => reportEmailChange(identity, call(), token));
    });
    await reporting.answer;
    expect(await person.row()).toMatchObject({
      email: changed,
      payoutsFrozenAt: expect.any(Date),
    });
    expect(await isAlive(person.here)).toBe(false);
  });

  test('is no other link, and none before the change', async () => {
    const person = await employee();
    await person.request(newAddress());
    const early = await person.reportToken();
    for (const token of ['made-up', await person.changeToken(), early]) {
      await expect(reportEmailChange(identity, call(), token)).rejects.toEqual(
        refusal('link_invalid'),
      );
    }
  });
});
