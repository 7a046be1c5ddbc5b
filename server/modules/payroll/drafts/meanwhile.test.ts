import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollBatch, PayrollDraft } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { acceptPerson, deactivatePerson } from '#server/modules/identity/index.ts';
import { closeWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  accountForPayroll,
  draftOwnAmounts,
  payrollFindings,
  sendDraftAsSeen,
} from '#test/payroll-fixture.ts';
import { payrollActs } from '../batch.ts';
import { postPayroll } from '../index.ts';
import { payrollDraftActs } from './draft.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './send-draft.ts';

const AMOUNTS = [10_000n, 20_001n, 30_002n];
const TOTAL = 60_003n;
const SENT_AT = '2026-12-08T15:00:00.000Z';
const PAY_DATE = '2026-12-11';
/** Six in the morning of the pay date in New York. */
const PAID_AT = '2026-12-11T11:00:00.000Z';

const services = createTestServices();
let test: TestDb;
let sender: Actor;
let second: Actor;
let third: Actor;
let people: string[];

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  services.clock.set(SENT_AT);
  await retireEverybody(test.db);
  await sql`UPDATE app_user SET deactivated_at = now() WHERE role = 'admin'`.execute(test.db);
  // Every payroll takes two people.
  await company({ separateMinor: 1n });
  sender = await seedAdmin(test.db);
  second = await seedAdmin(test.db, 'Theo Marchetti');
  third = await seedAdmin(test.db, 'Priya Nair');
  people = (await seedEmployees(test.db, { count: 3, walletType: 'savings' })).map(({ id }) => id);
});

const company = ({ separateMinor }: { separateMinor: bigint | null }) =>
  sql`UPDATE company_settings SET payroll_cancel_seconds = 60, time_zone = 'est',
        payroll_line_limit_minor = 1000000, payroll_batch_limit_minor = 100000000,
        separate_payroll_minor = ${separateMinor}`.execute(test.db);
const idOf = (index: number) => people[index] ?? '';
const makeDraft = (amounts = AMOUNTS) =>
  draftOwnAmounts(test.db, sender, new Map(amounts.map((minor, index) => [idOf(index), minor])), {
    clock: services.clock,
    walletType: 'savings',
    department: 'engineering',
    payOn: PAY_DATE,
  });
const send = (id: string, by = sender) => sendDraftAsSeen(test.db, by, id, services);
const preview = (id: string) => previewPayrollDraft(test.db, services, { id, readerId: sender.id });
const sendSeen = (id: string, previewHash: string, actor = sender) =>
  withTx(test.db, (tx) => sendPayrollDraft(tx, services, { actor }, { id, previewHash }));
type Act = 'approve' | 'decline' | 'stop';
const REASON = { reason: 'The amounts are wrong' };
const act = (name: Act, { id }: PayrollBatch, by = second) =>
  withTx(test.db, (tx) =>
    payrollActs[name](tx, services, { actor: by }, { id, ...(name === 'decline' && REASON) }),
  );
const save = ({ id, version }: PayrollDraft, index = 0) =>
  withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: second },
      {
        id,
        version,
        people: [{ id: idOf(index), amount: money(1n, 'USD') }],
      },
    ),
  );
/** Pays what is due on the pay date, twice. */
async function pay({ id }: PayrollBatch) {
  services.clock.set(PAID_AT);
  for (let turn = 0; turn < 2; turn += 1) {
    await postPayroll(test.db, services, id, { chunkLines: 2 });
  }
}

/** Expects that a batch paid exactly this much, to the people as its lines say. */
async function expectPaid({ id }: PayrollBatch, movedMinor: bigint) {
  expect(await accountForPayroll(test.db, id)).toMatchObject({
    losses: 0,
    doubles: 0,
    movedMinor,
    batchPaidMinor: movedMinor,
  });
}

/** Does two acts at the same moment. */
const together = (acts: readonly (() => Promise<unknown>)[]) =>
  Promise.allSettled(acts.map((one) => one()));

describe.each([false, true])('at the same moment, the other one first: %s', (isOtherFirst) => {
  const inOrder = <T>(acts: T[]) => (isOtherFirst ? acts.toReversed() : acts);

  it.each<[string, (draft: PayrollDraft, hash: string) => Promise<unknown>]>([
    ['somebody else sends it', ({ id }, hash) => sendSeen(id, hash, second)],
    ['somebody changes an amount', (draft) => save(draft)],
    [
      'somebody discards it',
      ({ id }) =>
        withTx(test.db, (tx) => payrollDraftActs.discard(tx, services, { actor: second }, { id })),
    ],
  ])('a draft is sent, and %s: one is done', async (_what, other) => {
    const draft = await makeDraft();
    const { hash } = await preview(draft.id);
    const results = await together(
      inOrder([() => sendSeen(draft.id, hash), () => other(draft, hash)]),
    );
    expectOneWins(results, 'payroll_draft_not_open', 'preview_stale');
  });

  it('a draft and its copy are sent: one is, and the other one is reviewed again', async () => {
    const drafts = [await makeDraft(), await makeDraft()];
    const seen = await Promise.all(drafts.map(async ({ id }) => (await preview(id)).hash));
    const acts = drafts.map(
      ({ id }, index) =>
        () =>
          sendSeen(id, seen[index] ?? ''),
    );
    expectOneWins(await together(inOrder(acts)), 'preview_stale');
  });

  it('two administrators save a draft: one does, and the other one reads it again', async () => {
    const draft = await makeDraft();
    const results = await together(inOrder([() => save(draft, 0), () => save(draft, 1)]));
    expectOneWins(results, 'payroll_draft_changed');
    const paid = TOTAL - (results[isOtherFirst ? 1 : 0]?.status === 'fulfilled' ? 9_999n : 20_000n);
    expect(await preview(draft.id)).toMatchObject({ total: money(paid, 'USD') });
  });

  it.each<[string, ErrorCode, (batch: PayrollBatch, draft: PayrollDraft) => Promise<unknown>]>([
    ['approves it', 'payroll_wrong_status', (batch) => act('approve', batch, third)],
    ['declines it', 'payroll_wrong_status', (batch) => act('decline', batch, third)],
    ['changes its draft', 'payroll_draft_not_open', (_batch, draft) => save(draft)],
  ])(
    'a payroll is approved, and another administrator %s: one is done',
    async (_what, code, other) => {
      const draft = await makeDraft();
      const batch = await send(draft.id);
      const results = await together(
        inOrder([() => act('approve', batch), () => other(batch, draft)]),
      );
      expectOneWins(results, code);
      await pay(batch);
      const { rows } = await sql<{ isApproved: boolean; drafts: number }>`
      SELECT approved_at IS NOT NULL AS is_approved,
             (SELECT count(*)::integer FROM payroll_draft WHERE from_batch_id = ${batch.id}) AS drafts
        FROM payroll_batch WHERE id = ${batch.id}`.execute(test.db);
      const isApproved = rows[0]?.isApproved === true;
      expect(rows[0]?.drafts).toBe(isApproved ? 0 : 1);
      await expectPaid(batch, isApproved ? TOTAL : 0n);
    },
  );

  it('a payroll is approved and stopped: it is stopped after that, or not at all', async () => {
    const batch = await send((await makeDraft()).id);
    const acts = [() => act('approve', batch), () => act('stop', batch, third)];
    const results = await together(inOrder(acts));
    const [approved, stopped] = inOrder(results);
    expect(approved?.status).toBe('fulfilled');
    if (stopped?.status === 'rejected') {
      expect(stopped.reason).toMatchObject({ code: 'payroll_wrong_status' });
    }
    await pay(batch);
    await expectPaid(batch, stopped?.status === 'fulfilled' ? 0n : TOTAL);
  });
});

describe('an approval', () => {
  const waitFrom = (userId: string, sinceMs: number) =>
    test.db
      .insertInto('secondPersonWait')
      .values({ userId, since: new Date(Date.now() - sinceMs), causedBy: sender.id })
      .execute();
  const HOUR_MS = 3_600_000;

  it.each<[string, () => Promise<Actor>, ErrorCode | null]>([
    ['its sender', async () => sender, 'second_person_needed'],
    [
      'an administrator whom the sender invited an hour ago',
      async () => {
        const invited = await seedAdmin(test.db, 'Lena Okafor');
        await waitFrom(invited.id, HOUR_MS);
        return invited;
      },
      'second_person_needed',
    ],
    [
      'an administrator whom the sender invited four days ago',
      async () => {
        const invited = await seedAdmin(test.db, 'Lena Okafor');
        await waitFrom(invited.id, 96 * HOUR_MS);
        return invited;
      },
      null,
    ],
    ['another administrator', async () => second, null],
  ])('by %s', async (_who, make, code) => {
    const by = await make();
    const batch = await send((await makeDraft()).id);
    const approving = act('approve', batch, by);
    if (code === null) await approving;
    else await expect(approving).rejects.toMatchObject({ code });
    await pay(batch);
    await expectPaid(batch, code === null ? TOTAL : 0n);
  });

  it('does not pay the changes in the draft of a declined payroll', async () => {
    const batch = await send((await makeDraft()).id);
    const { draftId } = await act('decline', batch);
    const returned = { id: draftId ?? '', version: 1 } as PayrollDraft;
    await save(returned, 2);
    await expect(act('approve', batch, third)).rejects.toMatchObject({
      code: 'payroll_wrong_status',
    });
    const again = await send(returned.id);
    // Whoever changed the amounts last does not approve them.
    await expect(act('approve', again)).rejects.toMatchObject({ code: 'second_person_needed' });
    await act('approve', again, third);
    await pay(batch);
    await expectPaid(batch, 0n);
    await pay(again);
    await expectPaid(again, 30_002n);
  });
});

/** Changes of the people of a draft, the first of whom is deactivated, and so on; the last one stays as they are. */
const CHANGES: [string, (tx: Tx, id: string) => Promise<unknown>][] = [
  [
    'deactivated',
    (tx, id) =>
      deactivatePerson(tx, services, { actor: third }, { id, reason: 'Left the company' }),
  ],
  ['accepted', (tx, id) => acceptPerson(tx, services, { actor: third }, id)],
  [
    'moved to another department',
    (tx, id) => sql`UPDATE app_user SET department = 'sales' WHERE id = ${id}`.execute(tx),
  ],
  [
    'closing the account',
    (tx, userId) => closeWallet(tx, services, { actor: third }, { userId, type: 'savings' }),
  ],
];
const APPLICANT = 1;

describe('somebody of a draft who is', () => {
  beforeEach(async () => {
    const more = await seedEmployees(test.db, { count: 2, walletType: 'savings' });
    people.push(...more.map(({ id }) => id));
    await sql`UPDATE app_user SET accepted_at = NULL WHERE id = ${idOf(APPLICANT)}`.execute(
      test.db,
    );
  });
  /** Powers of two, so that a sum says who was paid. */
  const amounts = [1n, 2n, 4n, 8n, 16n];

  it.each(CHANGES)(
    '%s between the preview and the sending is reviewed again',
    async (_what, change) => {
      const index = CHANGES.findIndex(([, one]) => one === change);
      const { id } = await makeDraft(amounts);
      const { hash } = await preview(id);
      await withTx(test.db, (tx) => change(tx, idOf(index)));
      const sending = sendSeen(id, hash);
      await expect(sending).rejects.toMatchObject({ code: 'preview_stale' });
    },
  );

  const processed = 'processed';
  const INACTIVE = 'employee_inactive';
  const gone = [INACTIVE, processed, 'other_department', 'wallet_closed', processed];
  // Departments of people are decided when it is sent. An account that is about to be paid into is not closed.
  const late = [INACTIVE, 'applicant', processed, processed, processed];
  it.each<[string, string[], string[], bigint]>([
    ['the preview', gone, [], 2n + 16n],
    ['the approval', late, ['wallet_in_use'], 4n + 8n + 16n],
    ['the pay date', late, ['wallet_in_use'], 4n + 8n + 16n],
  ])(
    'changed before %s is paid or not, and the others are paid',
    async (when, ends, refusals, paidMinor) => {
      const refused: string[] = [];
      const reach = async (now: string) => {
        if (now !== when) return;
        for (const [index, [, change]] of CHANGES.entries()) {
          await withTx(test.db, (tx) => change(tx, idOf(index))).catch((error: unknown) =>
            refused.push(codeOf(error)),
          );
        }
      };
      const { id } = await makeDraft(amounts);
      await reach('the preview');
      const batch = await send(id);
      await reach('the approval');
      await act('approve', batch);
      await reach('the pay date');
      await pay(batch);
      const { rows } = await sql<{ userId: string; end: string }>`
      SELECT user_id, coalesce(reason, status) AS "end" FROM payroll_line
       WHERE batch_id = ${batch.id}`.execute(test.db);
      const endOf = new Map(rows.map(({ userId, end }) => [userId, end]));
      expect(people.map((person) => endOf.get(person))).toEqual(ends);
      expect(refused).toEqual(refusals);
      await expectPaid(batch, paidMinor);
    },
  );
});

it('leaves records of all of this that the verification finds right', async () => {
  expect(await payrollFindings(test.db)).toEqual([]);
});

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}
