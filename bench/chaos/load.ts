import { randomUUID } from 'node:crypto';
import type { AdminDeposit, AdminWithdrawal, PayrollPreview, Withdrawal } from '#contract/api.ts';
import { pause } from '#server/lib/pause.ts';
import type { SignedInPayee } from '#test/money-company.ts';
import { RefusedError, sendPreviewed } from './client.ts';
import type { Client } from './client.ts';
import { bankWork } from './bank-load.ts';
import { furtherWork } from './further-load.ts';
import { note } from './journal.ts';
import type { LoadOptions } from './load-options.ts';
import type { Journal } from './journal.ts';
import { officeWork } from './office-load.ts';
import { MARKED, sendAgain, verifyAgain, WITHDRAWAL_MINOR } from './returned-load.ts';

export const DEPOSIT_MINOR = 100n;
const PAY_MINOR = 700n;
const THINK_MS = 30;
/** Own withdrawals that are read after each request. */
const OWN_PAGE = 100;
const REASON = 'A reason that is long enough';

/** People and admins who work concurrently until stopped. */
export function startLoad(options: LoadOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Withdrawals that wait for an admin. */
  const waiting: string[] = [];
  const deposits = [...options.deposits];
  const workers: { turn: () => Promise<void>; everyMs: number }[] = [
    ...options.company.payees.map((payee) => ({
      turn: () => ask(options, payee, waiting),
      everyMs: THINK_MS,
    })),
    { turn: () => decide(options, waiting), everyMs: THINK_MS },
    { turn: () => decide(options, waiting), everyMs: THINK_MS },
    { turn: () => sendAgain(options, waiting), everyMs: THINK_MS * 4 },
    { turn: () => decideOnDeposit(options, deposits), everyMs: THINK_MS * 4 },
    { turn: () => pay(options), everyMs: options.payrollEveryMs },
    ...furtherWork(options),
    ...bankWork(options),
    ...officeWork(options),
  ];
  const running = Promise.all(
    workers.map(async ({ turn, everyMs }) => {
      while (!signal.aborted) {
        await turn().catch(ignoreRefusal);
        await pause(everyMs, signal);
      }
    }),
  );
  // `stop` reports the error.
  running.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The journal has the refusal; the work continues. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RefusedError)) throw error;
}

/** An employee: requests withdrawals, and sometimes cancels one. */
async function ask(
  { client, journal, random }: LoadOptions,
  payee: SignedInPayee,
  waiting: string[],
): Promise<void> {
  const marker = randomUUID();
  const { id, submittedAt } = await client.send<Withdrawal>({
    cookie: payee.cookie,
    path: '/api/withdrawals',
    body: {
      walletId: payee.wallet.id,
      bankAccountId: payee.bank.id,
      amount: { minor: WITHDRAWAL_MINOR.toString(), currency: 'USD' },
      reason: marker,
    },
    mayMeet: MARKED,
  });
  note(journal, 'withdrawal.requested', { id, held: WITHDRAWAL_MINOR });
  journal.withdrawals.set(id, { marker, status: 'pending' });
  // A replica may answer this read, and any of the processes.
  const { items } = await client.send<{ items: Withdrawal[] }>({
    cookie: payee.cookie,
    method: 'GET',
    path: `/api/withdrawals?pageSize=${OWN_PAGE}`,
  });
  // A server whose clock is behind may have put it after a page of newer ones.
  const last = items.length < OWN_PAGE ? undefined : items.at(-1);
  const isOnPage = last === undefined || submittedAt > last.submittedAt;
  if (isOnPage && !items.some((one) => one.id === id)) {
    journal.faults.push(`own withdrawal ${id} is not read`);
  }
  if (random.chance(0.3)) {
    await takeStep(client, journal, { cookie: payee.cookie, id, action: 'cancel' });
  } else {
    waiting.push(id);
  }
}

const STEPS = {
  cancel: {
    path: (id: string) => `/api/withdrawals/${id}/cancel`,
    audit: 'withdrawal.cancelled',
    posted: 0n,
    held: -WITHDRAWAL_MINOR,
  },
  approve: { path: adminPath('approve'), audit: 'withdrawal.approved', posted: 0n, held: 0n },
  reject: {
    path: adminPath('reject'),
    audit: 'withdrawal.rejected',
    posted: 0n,
    held: -WITHDRAWAL_MINOR,
  },
  start: {
    path: adminPath('start-processing'),
    audit: 'withdrawal.processing',
    posted: 0n,
    held: 0n,
  },
  complete: {
    path: adminPath('complete'),
    audit: 'withdrawal.completed',
    posted: -WITHDRAWAL_MINOR,
    held: -WITHDRAWAL_MINOR,
  },
  return: {
    path: adminPath('return'),
    audit: 'withdrawal.returned',
    posted: WITHDRAWAL_MINOR,
    held: 0n,
  },
};

function adminPath(step: string): (id: string) => string {
  return (id) => `/api/admin/withdrawals/${id}/${step}`;
}

async function takeStep(
  client: Client,
  journal: Journal,
  { cookie, id, action }: { cookie: string; id: string; action: keyof typeof STEPS },
): Promise<AdminWithdrawal> {
  const { path, audit, posted, held } = STEPS[action];
  const needsReason = action === 'reject' || action === 'return';
  const taken = await client.send<AdminWithdrawal>({
    cookie,
    path: path(id),
    ...(needsReason && { body: { reason: REASON } }),
    mayMeet: MARKED,
  });
  note(journal, audit, { id, posted, held });
  const known = journal.withdrawals.get(id);
  if (known !== undefined) known.status = taken.status;
  return taken;
}

/** An admin: processes waiting requests, as far as chance decides. */
async function decide(
  { client, journal, random, company }: LoadOptions,
  waiting: string[],
): Promise<void> {
  const id = waiting.shift();
  if (id === undefined) return;
  const way = random.pick([
    ['reject'],
    ['approve'],
    ['approve', 'start'],
    ['approve', 'start', 'complete'],
    ['approve', 'start', 'complete'],
    ['approve', 'start', 'complete', 'return'],
  ] as const);
  const { cookie } = company.admin;
  for (const action of way) {
    const { employee } = await takeStep(client, journal, { cookie, id, action });
    if (action !== 'return') continue;
    journal.back.set(id, employee.id);
    await verifyAgain(client, company, employee.id);
  }
  if (way.length === 1 && way[0] === 'approve') journal.resting.add(id);
}

async function decideOnDeposit(
  { client, journal, random, company, desk }: LoadOptions,
  deposits: string[],
): Promise<void> {
  const id = deposits.pop();
  if (id === undefined) return;
  const isApproved = random.chance(0.7);
  const { status, reference } = await client.send<AdminDeposit>({
    cookie: company.admin.cookie,
    path: `/api/admin/deposits/${id}/${isApproved ? 'approve' : 'reject'}`,
    ...(!isApproved && { body: { reason: REASON } }),
  });
  note(journal, `deposit.${status}`, { id, posted: status === 'approved' ? DEPOSIT_MINOR : 0n });
  journal.deposits.set(id, status);
  if (!isApproved) return;
  desk.coming.push({ text: `ACH CREDIT ${reference}`, minor: DEPOSIT_MINOR, matched: () => {} });
}

/** An admin who pays everybody the same. */
async function pay({ client, journal, company }: LoadOptions): Promise<void> {
  const order = {
    walletType: 'salary',
    department: 'all',
    amount: { minor: PAY_MINOR.toString(), currency: 'USD' },
    description: 'Biweekly pay',
  };
  const { cookie } = company.admin;
  const preview = await client.send<PayrollPreview>({
    cookie,
    path: '/api/admin/payroll/preview',
    body: order,
    hasKey: false,
  });
  const batch = await sendPreviewed(client, cookie, preview, {
    path: '/api/admin/payroll/batches',
    order,
  });
  const posted = BigInt(company.payees.length) * PAY_MINOR;
  note(journal, 'payroll.sent', { id: batch.id, posted });
  journal.batches.set(batch.id, batch);
}
