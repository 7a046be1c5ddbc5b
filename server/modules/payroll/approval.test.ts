import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import { acknowledgeDifference } from './acknowledge.ts';
import { payrollActs } from './batch.ts';
import { savePayrollDraft } from './drafts/save-draft.ts';
import { previewPayrollDraft } from './drafts/send-draft.ts';
import { postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';
import { getDifferences } from './read-differences.ts';

const services = createTestServices();
const LAST = '2026-11-27T15:00:00.000Z';
const NOW = '2026-12-08T15:00:00.000Z';
let test: TestDb;
let renee: Actor;
let theo: Actor;
let priya: Actor;
let people: string[];

beforeEach(async () => {
  test = await openTestDb();
  await company({ separateMinor: null });
  renee = await seedAdmin(test.db, 'Renee Albright');
  theo = await seedAdmin(test.db, 'Theo Marchetti');
  priya = await seedAdmin(test.db, 'Priya Nair');
  people = (await seedEmployees(test.db, { count: 2 })).map(({ id }) => id);
  services.clock.set(LAST);
  await postPayroll(test.db, services, (await sent([10_000n, 20_000n])).id);
  services.clock.set(NOW);
  await company({ separateMinor: 1n });
});
afterEach(() => test.close());

const company = ({ separateMinor, line = 1_000_000n, batch = 100_000_000n }: Company) =>
  sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payroll_line_limit_minor = ${line},
        payroll_batch_limit_minor = ${batch}, separate_payroll_minor = ${separateMinor}`.execute(
    test.db,
  );
interface Company {
  separateMinor: bigint | null;
  line?: bigint;
  batch?: bigint;
}
const draftOf = (minors: readonly bigint[], by = renee) =>
  draftOwnAmounts(
    test.db,
    by,
    new Map(minors.map((minor, index) => [people[index] ?? '', minor])),
    { clock: services.clock, department: 'engineering' },
  );
const sent = async (minors: readonly bigint[], by = renee) =>
  sendDraftAsSeen(test.db, by, (await draftOf(minors)).id, services);
const approve = (id: string, actor = theo) =>
  withTx(test.db, (tx) => payrollActs.approve(tx, services, { actor }, { id }));
const decline = (id: string, actor = theo) =>
  withTx(test.db, (tx) =>
    payrollActs.decline(tx, services, { actor }, { id, reason: 'Zoë was not on leave' }),
  );
async function acknowledge(
  id: string,
  actor = theo,
  {
    groups,
    isAcknowledged = true,
  }: { groups?: PayrollDifference[]; isAcknowledged?: boolean } = {},
) {
  const { hash, differences } = await getDifferences(test.db, services, id, actor.id);
  const all = differences?.groups.map(({ group }) => group) ?? [];
  for (const group of groups ?? all) {
    await withTx(test.db, (tx) =>
      acknowledgeDifference(tx, services, { actor }, { hash, group, isAcknowledged }),
    );
  }
}
const recordOf = async (id: string) =>
  test.db
    .selectFrom('auditEvent')
    .select('details')
    .where('subjectId', '=', id)
    .where('action', '=', 'payroll.approved')
    .executeTakeFirst();

describe('whoever approves', () => {
  it('has acknowledged each difference themselves, and the refusal names those that are left', async () => {
    const { id } = await sent([15_000n, 20_000n]);
    expect((await getPayrollBatch(test.db, id, theo.id)).approval).toMatchObject({
      mayApprove: true,
      differences: 2,
    });
    const refused = (groups: string) =>
      expect(approve(id)).rejects.toMatchObject({
        code: 'differences_not_acknowledged',
        details: { groups },
      });
    await refused('changed amounts, the total');
    await acknowledge(id, priya);
    await refused('changed amounts, the total');
    await acknowledge(id, theo, { groups: ['total'] });
    await refused('changed amounts');
    await acknowledge(id);
    await approve(id);
    expect(await recordOf(id)).toMatchObject({
      details: {
        acknowledged: [
          expect.stringMatching(/^changed \d{4}-/),
          expect.stringMatching(/^total \d{4}-/),
        ],
      },
    });
  });

  it('acknowledges nothing where nothing differs', async () => {
    const { id } = await sent([10_000n, 20_000n]);
    await approve(id);
    expect((await recordOf(id))?.details).not.toHaveProperty('acknowledged');
  });

  it('is first refused as its sender, whatever they acknowledged', async () => {
    const { id } = await sent([15_000n, 20_000n]);
    await expect(approve(id, renee)).rejects.toMatchObject({ code: 'second_person_needed' });
  });

  it('keeps what they acknowledged once they approved, as its sender does', async () => {
    const { id } = await sent([15_000n, 20_000n]);
    await acknowledge(id);
    await acknowledge(id, priya);
    await approve(id);
    for (const actor of [renee, theo, priya]) {
      await acknowledge(id, actor, { isAcknowledged: false });
    }
    const { differences } = await getDifferences(test.db, services, id, theo.id);
    expect(differences?.groups.map((group) => group.acknowledged.map(({ by }) => by))).toEqual([
      [renee.name, theo.name],
      [renee.name, theo.name],
    ]);
  });

  it('at the moment in which they take an acknowledgement back: one comes first', async () => {
    const { id } = await sent([15_000n, 20_000n]);
    await acknowledge(id);
    const { hash } = await getDifferences(test.db, services, id, theo.id);
    const takeBack = { hash, group: 'total', isAcknowledged: false } as const;
    // Taken back first, and not committed yet: approving waits, and is refused.
    let approving: Promise<unknown> = Promise.resolve();
    await withTx(test.db, async (tx) => {
      await acknowledgeDifference(tx, services, { actor: theo }, takeBack);
      approving = approve(id).catch((error: unknown) => error);
      await untilBlocked(test.db);
    });
    expect(await approving).toMatchObject({ code: 'differences_not_acknowledged' });
    // Approved first: taking back waits, and changes nothing.
    await acknowledge(id);
    let takingBack: Promise<unknown> = Promise.resolve();
    await withTx(test.db, async (tx) => {
      await payrollActs.approve(tx, services, { actor: theo }, { id });
      takingBack = acknowledge(id, theo, { groups: ['total'], isAcknowledged: false });
      await untilBlocked(test.db);
    });
    await takingBack;
    const { differences } = await getDifferences(test.db, services, id, theo.id);
    expect(differences?.groups.flatMap(({ acknowledged }) => acknowledged)).toHaveLength(4);
  });
});

describe('the limits of the company', () => {
  it.each([
    [20_000, 35_000, null],
    [19_999, 35_000, 'payroll_line_limit'],
    [20_000, 34_999, 'payroll_batch_limit'],
  ])('%i for one and %i for all, since it was sent, refuse with %s', async (line, batch, code) => {
    const { id } = await sent([15_000n, 20_000n]);
    await acknowledge(id);
    await company({ separateMinor: 1n, line: BigInt(line), batch: BigInt(batch) });
    if (code === null) await approve(id);
    else await expect(approve(id)).rejects.toMatchObject({ code });
  });
});

describe('before it is sent, its sender reads', () => {
  const secondPersonOf = async (minors: readonly bigint[], by = renee) => {
    const { id } = await draftOf(minors, by);
    return (await previewPayrollDraft(test.db, services, { id, readerId: renee.id })).secondPerson;
  };
  const usd = (minor: bigint) => money(minor, 'USD');

  it('the people who can confirm it, and those who cannot and why', async () => {
    expect(await secondPersonOf([15_000n, 20_000n], theo)).toEqual({
      from: usd(1n),
      sentAlone: usd(0n),
      isNeeded: true,
      people: [{ name: priya.name, from: null }],
      others: expect.arrayContaining([
        { name: renee.name, why: 'sends' },
        { name: theo.name, why: 'changed_amounts' },
      ]),
    });
  });

  it('nobody, where the others only prepared it', async () => {
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${priya.id}`.execute(test.db);
    expect(await secondPersonOf([15_000n, 20_000n], theo)).toMatchObject({
      isNeeded: true,
      people: [],
    });
  });

  it('nobody needed below the amount, and the sum of this month that counts towards it', async () => {
    await company({ separateMinor: 50_000n });
    await sent([15_000n, 20_000n]);
    expect(await secondPersonOf([5_000n, 9_999n])).toMatchObject({
      from: usd(50_000n),
      sentAlone: usd(35_000n),
      isNeeded: false,
      people: [],
    });
    expect(await secondPersonOf([5_000n, 10_000n])).toMatchObject({ isNeeded: true });
    await company({ separateMinor: null });
    expect(await secondPersonOf([5_000n, 10_000n])).toBe(null);
  });
});

describe('the administrator who last changed an amount', () => {
  const save = (draft: { id: string; version: number }, actor: Actor, body: object) =>
    withTx(test.db, (tx) =>
      savePayrollDraft(tx, services, { actor }, { id: draft.id, version: draft.version, ...body }),
    );
  const amount = () => ({ people: [{ id: people[0] ?? '', amount: money(15_000n, 'USD') }] });

  it('does not approve what another one sends, and is named to nobody as who can', async () => {
    const draft = await save(await draftOf([10_000n, 20_000n]), theo, amount());
    const { id } = await sendDraftAsSeen(test.db, renee, draft.id, services);
    await acknowledge(id);
    await expect(approve(id)).rejects.toMatchObject({
      code: 'second_person_needed',
      details: { did: 'you sent this payroll, or were the last to change its amounts' },
    });
    expect((await getPayrollBatch(test.db, id, theo.id)).approval).toMatchObject({
      mayApprove: false,
      isMine: false,
      changedAmounts: true,
    });
    const { approval } = await getPayrollBatch(test.db, id, renee.id);
    expect(approval?.people).toEqual([{ name: priya.name, from: null }]);
    await acknowledge(id, priya);
    await approve(id, priya);
  });

  it('is not whoever wrote a note or a name', async () => {
    const draft = await save(await draftOf([15_000n, 20_000n]), theo, { note: 'Look at Tyrell' });
    const { id } = await sendDraftAsSeen(test.db, renee, draft.id, services);
    await acknowledge(id);
    expect(await approve(id)).toMatchObject({ approvedBy: theo.name });
  });

  it('stays so when it comes back as a draft, with the note and nothing acknowledged', async () => {
    const noted = await save(await draftOf([10_000n, 20_000n]), theo, { note: 'Look at Tyrell' });
    const draft = await save(noted, theo, amount());
    const { id } = await sendDraftAsSeen(test.db, renee, draft.id, services);
    await acknowledge(id, priya);
    await decline(id, priya);
    const { draftId } = await getPayrollBatch(test.db, id, renee.id);
    const back = await test.db
      .selectFrom('payrollDraft')
      .select(['note', 'amountsBy'])
      .where('id', '=', draftId ?? '')
      .executeTakeFirst();
    expect(back).toEqual({ note: 'Look at Tyrell', amountsBy: theo.id });
    const again = await previewPayrollDraft(test.db, services, {
      id: draftId ?? '',
      readerId: renee.id,
    });
    expect(again.differences?.groups.flatMap(({ acknowledged }) => acknowledged)).toEqual([]);
    const { id: second } = await sendDraftAsSeen(test.db, renee, draftId ?? '', services);
    await acknowledge(second);
    await expect(approve(second)).rejects.toMatchObject({ code: 'second_person_needed' });
  });
});
