import { beforeEach, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { SETTINGS } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import { proposedValues } from '#server/modules/security/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import type { TestApp } from '#test/app.ts';
import { settingsFixture } from '#test/settings-fixture.ts';

let purser: TestApp;
const { cookies, read, change } = settingsFixture((app) => {
  purser = app;
});

describe('while duties are separated', () => {
  beforeEach(async () => {
    await withTx(purser.db, (tx) =>
      updateSettings(
        tx,
        purser.services,
        { actor: 'system' },
        {
          separatePayoutMinor: 1n,
          requireApprovedIdentity: true,
          payoutCoolingHours: 24,
        },
      ),
    );
  });

  test('a loosening change waits, and the rest of the same request applies immediately', async () => {
    const settings = {
      requireApprovedIdentity: false,
      stopPayoutsWhenUnsound: false,
      payoutCoolingHours: 0,
      kycMinAgeYears: 21,
    };
    const { body } = await change('renee', settings);
    expect(body).toMatchObject({
      values: { requireApprovedIdentity: true, payoutCoolingHours: 24, kycMinAgeYears: 21 },
      proposed: ['requireApprovedIdentity', 'payoutCoolingHours', 'stopPayoutsWhenUnsound'],
    });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({
      values: { requireApprovedIdentity: false, stopPayoutsWhenUnsound: false },
      proposal: null,
    });
  });

  test('changing the account for deposits takes two admins, and one can remove it', async () => {
    const numbers = {
      receivingRoutingNumber: '084-207-311',
      receivingAccountNumber: '4400 128865',
    };
    const kept = { receivingRoutingNumber: '084207311', receivingAccountNumber: '4400128865' };
    const none = { receivingRoutingNumber: '', receivingAccountNumber: '' };
    const { body } = await change('renee', numbers);
    expect(body).toMatchObject({ values: none, proposal: { settings: kept } });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({ values: kept, proposal: null });
    const other = await change('renee', { receivingAccountNumber: '4400128866' });
    expect(other.body).toMatchObject({ values: kept, proposed: ['receivingAccountNumber'] });
    expect((await change('renee', none)).body).toMatchObject({ values: none, proposed: [] });
  });

  test('is not accepted if a setting was changed since the proposal', async () => {
    const { body } = await change('renee', { payoutCoolingHours: 0 });
    await change('theo', { payoutCoolingHours: 48 });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({ code: 'settings_changed' });
    expect((await read()).values.payoutCoolingHours).toBe(48);
  });

  test('another proposal takes the place of the one that waits, of which all admins are mailed', async () => {
    await withTx(purser.db, (tx) =>
      updateSettings(tx, purser.services, { actor: 'system' }, { payoutCoolingHours: 24 }),
    );
    const recorded = async ({ body }: Awaited<ReturnType<typeof change>>) =>
      purser.db
        .selectFrom('auditEvent')
        .innerJoin('appUser', 'appUser.id', 'actorId')
        .select(['action', 'name'])
        .where('subjectId', '=', body.proposal?.id ?? '')
        .orderBy('auditEvent.id')
        .execute();
    const notices = async () => {
      const rows = await purser.db
        .selectFrom('notification')
        .select('message')
        .where('kind', '=', 'proposal-discarded')
        .where('message', 'like', 'Theo Marchetti%')
        .execute();
      return rows.map(({ message }) => message);
    };
    const ofRenee = await change('renee', { payoutCoolingHours: 0 });
    const ofTheo = await change('theo', { payoutCoolingHours: 1 });
    expect(await recorded(ofRenee)).toEqual([
      { action: 'settings.proposed', name: 'Renee Albright' },
      { action: 'settings.discarded', name: 'Theo Marchetti' },
    ]);
    const words = `Theo Marchetti discarded what Renee Albright proposed: to change ${SETTINGS.payoutCoolingHours.label}. Nothing was changed.`;
    expect(await notices()).toEqual([words, words]);
    // Nobody needs to hear of what its own proposer replaces.
    await change('theo', { payoutCoolingHours: 2 });
    expect(await recorded(ofTheo)).toEqual([
      { action: 'settings.proposed', name: 'Theo Marchetti' },
      { action: 'settings.discarded', name: 'Theo Marchetti' },
    ]);
    expect(await notices()).toHaveLength(2);
  });

  test('raising limits takes two admins, and lowering them takes one', async () => {
    const { values } = await read();
    const lower = money(BigInt(values.payrollLineLimit.minor) - 1n, 'USD');
    expect((await change('renee', { payrollLineLimit: lower })).body).toMatchObject({
      values: { payrollLineLimit: lower },
    });
    expect(
      (await change('renee', { payrollLineLimit: values.payrollLineLimit })).body,
    ).toMatchObject({ values: { payrollLineLimit: lower }, proposed: ['payrollLineLimit'] });
  });
});

describe('settings that contradict each other', () => {
  const FILES = {
    payoutBankName: 'Northgate Commerce Bank',
    payoutRoutingNumber: '084207311',
    payoutAccountNumber: '00964410',
    payoutCompanyId: '1912345678',
  };
  const accept = (id: string | undefined) =>
    purser.ask('POST', `/api/admin/settings/proposals/${id}/accept`, { cookie: cookies.theo });
  const reset = (bankAccountProof: 'none' | 'prenote') =>
    withTx(purser.db, (tx) =>
      updateSettings(
        tx,
        purser.services,
        { actor: 'system' },
        {
          ...FILES,
          payoutFormat: 'nacha',
          bankAccountProof,
          separatePayoutMinor: 1n,
        },
      ),
    );

  test('are not made by accepting what was proposed before the other one changed', async () => {
    await reset('none');
    const { body } = await change('renee', { bankAccountProof: 'prenote' });
    expect(body.proposal).toMatchObject({ settings: { bankAccountProof: 'prenote' } });
    await change('theo', { payoutFormat: 'pain001_09' });
    const refused = await accept(body.proposal?.id);
    expect(await refused.json()).toMatchObject({
      code: 'settings_changed',
      title: expect.stringContaining(
        `Theo Marchetti has changed ${SETTINGS.payoutFormat.label}`,
      ) as string,
    });
    expect((await read()).values).toMatchObject({
      payoutFormat: 'pain001_09',
      bankAccountProof: 'none',
    });
  });

  test('are not made by the half of a change that does not wait', async () => {
    await reset('prenote');
    const both = { payoutFormat: 'pain001_09', bankAccountProof: 'none' };
    const { body } = await change('renee', { ...both, kycMinAgeYears: 19 });
    expect(body).toMatchObject({
      values: { payoutFormat: 'nacha', bankAccountProof: 'prenote', kycMinAgeYears: 19 },
      proposed: ['payoutFormat', 'bankAccountProof'],
    });
    const accepted = await accept(body.proposal?.id);
    expect(await accepted.json()).toMatchObject({ values: both, proposal: null });
  });
});

test('a stored proposal has no values but those of settings', () => {
  const stored = { payrollCancelSeconds: 30, payoutsStoppedAt: '2026-01-01', formerSetting: true };
  expect(proposedValues(stored)).toEqual({ payrollCancelSeconds: 30 });
});
