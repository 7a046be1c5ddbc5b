import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Withdrawal } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import { withdrawalCan } from '#contract/withdrawals.ts';
import type { WithdrawalAction, WithdrawalStatus } from '#contract/withdrawals.ts';
import { withTx } from '#server/db/tx.ts';
import type { AppError } from '#server/lib/errors.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { createPayee, expectSoundMoney, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import * as withdrawals from './index.ts';

const FUNDED = 100_000n;
const AMOUNT = 40_000n;
const REASON = 'The account is closed';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
});
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

const payee = () => createPayee(db, services, { admin, fundedMinor: FUNDED });
const inStatus = (who: Payee, status: WithdrawalStatus) =>
  withdrawalIn(db, services, { payee: who, admin, status, amountMinor: AMOUNT });

/** Actions by files and rules, and one with a form, which have tests of their own. */
const OTHERWISE = [
  ...(['approveAutomatic', 'sendInFile', 'settle', 'settleByLine', 'returnByFile'] as const),
  'resend',
] as const;

/** Actions of people. Purser approves only what a rule requested (server/modules/transfers/). */
type Action = Exclude<WithdrawalAction, (typeof OTHERWISE)[number]>;

/** Every action, as its owner or that admin takes it. */
function act(action: Action, who: Payee, id: string, by = admin): Promise<Withdrawal> {
  const withReason = { id, reason: REASON };
  return withTx(db, (tx): Promise<Withdrawal> => {
    switch (action) {
      case 'cancel':
        return withdrawals.withdrawalActs.cancel(tx, services, who.by, { id });
      case 'approve':
        return withdrawals.withdrawalActs.approve(tx, services, by, { id });
      case 'reject':
        return withdrawals.withdrawalActs.reject(tx, services, by, withReason);
      case 'startProcessing':
        return withdrawals.withdrawalActs.startProcessing(tx, services, by, { id });
      case 'complete':
        return withdrawals.withdrawalActs.complete(tx, services, by, { id });
      case 'stop':
        return withdrawals.withdrawalActs.stop(tx, services, by, withReason);
      case 'return':
        return withdrawals.withdrawalActs.return(tx, services, by, withReason);
    }
  });
}

const balanceOf = async ({ wallet }: Payee) => {
  const balances = await accountBalances(db, [wallet.ledgerAccountId]);
  return balances.get(wallet.ledgerAccountId);
};

const ACTIONS = (Object.keys(withdrawalCan) as WithdrawalAction[]).filter(
  (action): action is Action => !OTHERWISE.some((one) => one === action),
);
/** State of the money in each status. */
const HELD = { postedMinor: FUNDED, heldMinor: AMOUNT, availableMinor: FUNDED - AMOUNT };
const BACK = { postedMinor: FUNDED, heldMinor: 0n, availableMinor: FUNDED };
const GONE = { postedMinor: FUNDED - AMOUNT, heldMinor: 0n, availableMinor: FUNDED - AMOUNT };
const MONEY: Record<WithdrawalStatus, typeof HELD> = {
  pending: HELD,
  approved: HELD,
  processing: HELD,
  completed: GONE,
  rejected: BACK,
  cancelled: BACK,
  returned: BACK,
};
const RESULT: Record<Action, WithdrawalStatus> = {
  cancel: 'cancelled',
  approve: 'approved',
  reject: 'rejected',
  startProcessing: 'processing',
  complete: 'completed',
  stop: 'rejected',
  return: 'returned',
};

describe.each(WITHDRAWAL_STATUSES)('in status %s', (status) => {
  it.each(ACTIONS)('%s is legal or refused as the table says', async (action) => {
    const who = await payee();
    const { id } = await inStatus(who, status);
    expect(await balanceOf(who)).toEqual(MONEY[status]);
    if (can(withdrawalCan, action, status)) {
      expect(await act(action, who, id)).toMatchObject({ status: RESULT[action] });
      expect(await balanceOf(who)).toEqual(MONEY[RESULT[action]]);
      return;
    }
    await expect(act(action, who, id)).rejects.toMatchObject(
      action === 'cancel'
        ? { code: 'withdrawal_not_cancellable' }
        : {
            code: 'withdrawal_wrong_status',
            message: expect.stringMatching(
              new RegExp(`This withdrawal is ${status}, so this is not possible\\.$`),
            ) as string,
          },
    );
    expect(await balanceOf(who)).toEqual(MONEY[status]);
  });
});

describe('the way of a withdrawal', () => {
  it('is shown by its history, and the payout is posted under one reference', async () => {
    const who = await payee();
    services.clock.set('2026-12-08T15:00:00.000Z');
    const { id } = await inStatus(who, 'pending');
    services.clock.set('2026-12-09T15:00:00.000Z');
    await act('approve', who, id);
    services.clock.set('2026-12-10T15:00:00.000Z');
    expect(await act('startProcessing', who, id)).toMatchObject({
      expected: { from: '2026-12-10', to: '2026-12-11' },
    });
    services.clock.set('2026-12-11T15:00:00.000Z');
    const done = await act('complete', who, id);
    expect(done.expected).toBeNull();
    expect(done.transactionReference).toMatch(/^TXN-\d{8}$/);
    expect(done.history).toEqual([
      { status: 'pending', at: '2026-12-08T15:00:00.000Z', by: 'Test Person', note: null },
      { status: 'approved', at: '2026-12-09T15:00:00.000Z', by: 'Renee Albright', note: null },
      { status: 'processing', at: '2026-12-10T15:00:00.000Z', by: 'Renee Albright', note: null },
      { status: 'completed', at: '2026-12-11T15:00:00.000Z', by: 'Renee Albright', note: null },
    ]);
    const posted = await db
      .selectFrom('ledgerTransaction')
      .select(['kind', 'description', 'subjectId', 'actorId'])
      .where('reference', '=', done.transactionReference ?? '')
      .execute();
    expect(posted).toEqual([
      {
        kind: 'withdrawal',
        description: `Withdrawal to Cascade Federal Credit Union ••${done.bankLast4}`,
        subjectId: id,
        actorId: admin.actor.id,
      },
    ]);
  });

  it('keeps the day on which it left the bank and the bank’s reference', async () => {
    const who = await payee();
    services.clock.set('2026-12-08T15:00:00.000Z');
    const { id } = await inStatus(who, 'processing');
    // The 10th in New York.
    services.clock.set('2026-12-11T04:30:00.000Z');
    const complete = (entered: { leftBankOn?: string; bankReference?: string }) =>
      withTx(db, (tx) =>
        withdrawals.withdrawalActs.complete(tx, services, admin, { id, ...entered }),
      );
    for (const leftBankOn of ['2026-12-07', '2026-12-11']) {
      await expect(complete({ leftBankOn })).rejects.toMatchObject({
        code: 'payout_day_invalid',
        message: 'Choose a day from Dec 8, 2026 to Dec 10, 2026',
      });
    }
    expect(await balanceOf(who)).toEqual(HELD);
    const done = await complete({ leftBankOn: '2026-12-08', bankReference: 'ACH 2311' });
    expect(done).toMatchObject({ leftBankOn: '2026-12-08', bankReference: 'ACH 2311' });
    const { details } = await db
      .selectFrom('auditEvent')
      .select('details')
      .where('subjectId', '=', id)
      .where('action', '=', 'withdrawal.completed')
      .executeTakeFirstOrThrow();
    expect(details).toMatchObject({ leftBankOn: '2026-12-08', bankReference: 'ACH 2311' });
  });

  it('left the bank today, without a reference, where nothing was entered', async () => {
    const who = await payee();
    services.clock.set('2026-12-11T04:30:00.000Z');
    const { id } = await inStatus(who, 'processing');
    expect(await act('complete', who, id)).toMatchObject({
      leftBankOn: '2026-12-10',
      bankReference: null,
    });
  });

  it('ends with a reason when stopped, and its history keeps the approval', async () => {
    const who = await payee();
    const { id } = await inStatus(who, 'processing');
    const stopped = await act('stop', who, id);
    expect(stopped.rejectionReason).toBe(REASON);
    expect(stopped.history.map((step) => step.status)).toEqual([
      'pending',
      'approved',
      'processing',
      'rejected',
    ]);
    expect(stopped.history.at(-1)?.note).toBe(REASON);
  });

  it('is reversed, not erased, when the bank returns it', async () => {
    const who = await payee();
    const { id, transactionReference } = await inStatus(who, 'returned');
    const rows = await db
      .selectFrom('ledgerTransaction as reversal')
      .innerJoin('ledgerTransaction as payout', 'payout.id', 'reversal.reversesId')
      .select(['payout.reference', 'reversal.kind', 'reversal.subjectId'])
      .where('payout.subjectId', '=', id)
      .execute();
    expect(rows).toEqual([{ reference: transactionReference, kind: 'reversal', subjectId: id }]);
  });

  it('notifies its owner of every step', async () => {
    const who = await payee();
    const { id } = await inStatus(who, 'returned');
    const notified = await db
      .selectFrom('notification')
      .select('title')
      .where('relatedId', '=', id)
      .where('userId', '=', who.by.actor.id)
      .orderBy('id')
      .execute();
    expect(notified.map((one) => one.title)).toEqual([
      'Withdrawal Submitted',
      'Withdrawal Approved',
      'Withdrawal Processing',
      'Withdrawal Completed',
      'Withdrawal Returned',
    ]);
  });

  it('is written down step by step', async () => {
    const who = await payee();
    const { id } = await inStatus(who, 'completed');
    const audit = await db
      .selectFrom('auditEvent')
      .select(['action', 'actorId'])
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute();
    expect(audit.map((event) => event.action)).toEqual([
      'withdrawal.requested',
      'withdrawal.approved',
      'withdrawal.processing',
      'withdrawal.completed',
    ]);
    expect(audit.slice(1).every((event) => event.actorId === admin.actor.id)).toBe(true);
  });
});

describe('deciding', () => {
  const DECISIONS = ACTIONS.filter((action) => action !== 'cancel');

  it.each(DECISIONS)('%s is not for one’s own', async (action) => {
    const who = await payee();
    const { id } = await inStatus(who, withdrawalCan[action][0]);
    const self: CommandContext = { actor: { ...who.by.actor, role: 'admin' } };
    await expect(act(action, who, id, self)).rejects.toMatchObject({ code: 'own_request' });
  });

  it.each(ACTIONS)('%s does not find what is not there', async (action) => {
    const who = await payee();
    await expect(act(action, who, crypto.randomUUID())).rejects.toMatchObject({
      code: 'withdrawal_not_found',
    });
  });
});

describe('concurrently', () => {
  /** One of the two wins; the other is refused by what the winner left. */
  const race = async (start: WithdrawalStatus, actions: [Action, Action]) => {
    const who = await payee();
    const { id } = await inStatus(who, start);
    const results = await Promise.allSettled(actions.map((action) => act(action, who, id)));
    const won = results.filter((result) => result.status === 'fulfilled');
    const lost = results.filter((result) => result.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(lost).toHaveLength(1);
    const status = won[0]?.value.status ?? 'pending';
    expect(await balanceOf(who)).toEqual(MONEY[status]);
    return { status, refusal: lost[0]?.reason as AppError };
  };

  it('approve and cancel: the loser is refused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { status, refusal } = await race('pending', ['approve', 'cancel']);
      expect(refusal).toMatchObject({
        code: status === 'approved' ? 'withdrawal_not_cancellable' : 'withdrawal_wrong_status',
      });
    }
  });

  it.each([
    ['processing', 'complete', 'complete'],
    ['processing', 'complete', 'stop'],
    ['completed', 'return', 'return'],
    ['pending', 'cancel', 'cancel'],
    ['pending', 'approve', 'reject'],
  ] as const)('in %s, %s and %s: one happens', async (start, first, second) => {
    for (let round = 0; round < 3; round += 1) {
      const { refusal } = await race(start, [first, second]);
      expect(['withdrawal_wrong_status', 'withdrawal_not_cancellable']).toContain(refusal.code);
    }
  });
});
