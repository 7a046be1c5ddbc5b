import { setTimeout as sleep } from 'node:timers/promises';
import type { Bill, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { cookieAfter, TEST_PASSWORD } from '#test/factories/people.ts';
import type { Random } from '#scripts/demo/random.ts';
import { ask, requestWithdrawal, unsafeHeaders } from '../http.ts';
import { asked } from '../lists-cases.ts';
import type { Company, Payee } from '../people.ts';
import { timeRequest } from '../timing.ts';
import type { Case } from '../timing.ts';

const AMOUNT = { minor: '100', currency: 'USD' };
const REASON = 'A reason that is long enough';
const TIME_ZONE = 'America/New_York';

/** Time after which the server has taken a bill that is due today: its job runs once a minute. */
const TAKEN_MS = 90_000;

/** A company under load. */
export interface SoakCompany extends Company {
  payees: readonly [Payee, ...Payee[]];
  /** Payee outside the company of each person who requests money, by the person's id. */
  outside: ReadonlyMap<string, string>;
  /** Addresses of people who sign in with {@link TEST_PASSWORD}. */
  signingIn: readonly string[];
}

/** A request that waits for an admin. */
interface Waiting {
  id: string;
  /** Acts that are left. */
  acts: string[];
  /** Time from which they are possible. */
  fromMs: number;
}

/** A kind of request. */
interface Kind {
  name: string;
  /** Number of 200 requests. */
  share: number;
  send: () => Promise<unknown>;
  /** Codes of refusals that are no fault. */
  mayMeet?: readonly string[];
}

/** A request that was answered, or failed. */
export interface Arrival {
  kind: string;
  /** Planned time, in milliseconds from the start of the load. */
  plannedMs: number;
  /** From the planned time to the end of the reply. */
  tookMs: number;
}

export interface Answered {
  arrivals: Arrival[];
  /** Requests that failed, each in words. */
  faults: string[];
  /** Number of requests that were refused with an expected code. */
  refused: number;
}

const EMPLOYEE_READS: readonly Case[] = [
  asked('getShell', 'own', {}),
  asked('getEmployeeDashboard', 'own', {}),
  asked('listWallets', 'own', {}),
  asked('listHistory', 'first page', {}),
  asked('countHistory', 'all', {}),
  asked('getHistoryTotals', 'tiles', {}),
  asked('listWithdrawals', 'newest', {}),
  asked('listDeposits', 'newest', {}),
  asked('listNotifications', 'newest', {}),
  asked('listAccountDocuments', 'this year', {}),
  asked('listScheduledBills', 'own', {}),
  asked('listBankAccounts', 'own', {}),
];

const ADMIN_READS: readonly Case[] = [
  asked('getShell', 'counts', {}),
  asked('adminGetDashboard', 'tiles', {}),
  asked('adminListWaiting', 'counts', {}),
  asked('adminListWithdrawals', 'first view', {}),
  asked('adminCountWithdrawals', 'first view', {}),
  asked('adminWithdrawalStats', 'tiles', {}),
  asked('adminListDeposits', 'first view', {}),
  asked('adminListBills', 'first view', {}),
  asked('adminListTransactions', 'first view', {}),
  asked('adminListPayrollBatches', 'first view', {}),
  asked('adminListEmployees', 'first view', {}),
  asked('adminListAudit', 'first view', {}),
  asked('adminGetOwed', 'tiles', {}),
];

export interface LoadOptions {
  perSecond: number;
  durationMs: number;
  random: Random;
  /** Requests in progress from which the next waits; by default it never does. */
  mostRunning?: number;
}

/**
 * Sends requests at a steady rate, whether the earlier ones were answered or not, until the time is over and all of them
 * were answered. A server that stalls is thus measured with every request that it kept waiting.
 */
export async function runLoad(
  kinds: readonly Kind[],
  { perSecond, durationMs, random, mostRunning = Infinity }: LoadOptions,
): Promise<Answered> {
  const answered: Answered = { arrivals: [], faults: [], refused: 0 };
  const running = new Set<Promise<void>>();
  const startedMs = performance.now();
  for (const [index, kind] of planOf(kinds, (perSecond * durationMs) / 1_000, random).entries()) {
    const plannedMs = (index * 1_000) / perSecond;
    const waitMs = startedMs + plannedMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    if (running.size >= mostRunning) await Promise.race(running);
    const request = answer(kind, { startedMs, plannedMs }, answered);
    running.add(request);
    void request.finally(() => running.delete(request));
  }
  await Promise.all(running);
  return answered;
}

async function answer(
  { name, send, mayMeet = [] }: Kind,
  { startedMs, plannedMs }: { startedMs: number; plannedMs: number },
  answered: Answered,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const text = String(error);
    if (mayMeet.some((code) => text.includes(`"code":"${code}"`))) answered.refused += 1;
    else answered.faults.push(`${name}: ${text.slice(0, 300)}`);
  }
  const tookMs = performance.now() - startedMs - plannedMs;
  answered.arrivals.push({ kind: name, plannedMs, tookMs });
}

/** Kinds of so many requests: every kind in its share of each 200, in an order by chance. */
function planOf(kinds: readonly Kind[], count: number, random: Random): Kind[] {
  const round = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  const plan: Kind[] = [];
  while (plan.length < count) {
    const left = [...round];
    while (left.length > 0) plan.push(...left.splice(random.int(0, left.length - 1), 1));
  }
  return plan.slice(0, count);
}

/** The mixed load: reads of screens, every way an employee moves money, decisions of an admin, and sign-ins. */
export function mixedLoad(url: string, company: SoakCompany, random: Random): readonly Kind[] {
  const { admin, furtherAdmins, payees, outside } = company;
  const withdrawals: Waiting[] = [];
  const deposits: Waiting[] = [];
  const bills: Waiting[] = [];
  const anAdmin = () => random.pick([admin.cookie, ...furtherAdmins]);
  const person = () => random.pick(payees);
  const readAs = (cookie: string, cases: readonly Case[]) =>
    timeRequest({ url, cookie }, random.pick(cases as [Case, ...Case[]]));
  const post = <T>(cookie: string, path: string, body: object = {}) =>
    ask<T>(url, path, cookie, JSON.stringify(body));
  const adminRead = () => readAs(anAdmin(), ADMIN_READS);

  /** The next act of the request that has waited longest; a read where none waits. */
  async function decide(path: string, waiting: Waiting[]): Promise<void> {
    const [thing] = waiting;
    const act = thing?.acts[0];
    if (thing === undefined || act === undefined || thing.fromMs > performance.now()) {
      return void (await adminRead());
    }
    waiting.shift();
    try {
      await post(anAdmin(), `/api/admin/${path}/${thing.id}/${act}`, bodyOf(act));
      thing.acts.shift();
    } finally {
      if (thing.acts.length > 0) waiting.unshift(thing);
    }
  }

  return [
    {
      name: 'Screens of employees',
      share: 69,
      send: () => readAs(person().cookie, EMPLOYEE_READS),
    },
    { name: 'Screens of an admin', share: 39, send: adminRead },
    {
      name: 'Withdrawals',
      share: 16,
      async send() {
        const payee = person();
        const { id } = (await requestWithdrawal(url, payee)) as { id: string };
        if (random.chance(0.1)) await post(payee.cookie, `/api/withdrawals/${id}/cancel`);
        else {
          const acts = random.chance(0.2)
            ? ['reject']
            : ['approve', 'start-processing', 'complete'];
          withdrawals.push({ id, acts, fromMs: 0 });
        }
      },
    },
    { name: 'Decisions on withdrawals', share: 38, send: () => decide('withdrawals', withdrawals) },
    {
      name: 'Deposits',
      share: 8,
      async send() {
        const { cookie, walletId } = person();
        const body = { walletId, method: 'ach', amount: AMOUNT };
        const { id } = await post<{ id: string }>(cookie, '/api/deposits', body);
        deposits.push({ id, acts: [random.chance(0.8) ? 'approve' : 'reject'], fromMs: 0 });
      },
    },
    { name: 'Decisions on deposits', share: 8, send: () => decide('deposits', deposits) },
    {
      name: 'Bills',
      share: 4,
      async send() {
        const { userId, walletId, cookie } = person();
        const payOn = dayIn(TIME_ZONE, new Date());
        const body = { walletId, payeeId: outside.get(userId), amount: AMOUNT, payOn, memo: '' };
        const { id } = await post<Bill>(cookie, '/api/bills', body);
        const acts = random.chance(0.2) ? ['stop'] : ['send', 'complete'];
        bills.push({ id, acts, fromMs: performance.now() + TAKEN_MS });
      },
    },
    {
      name: 'Decisions on bills',
      share: 8,
      send: () => decide('bills', bills),
      // The server took it later than usual.
      mayMeet: ['bill_wrong_status'],
    },
    {
      name: 'Payments to colleagues',
      share: 8,
      async send() {
        const [from, to] = [person(), person()];
        if (from === to) return readAs(from.cookie, EMPLOYEE_READS);
        const body = {
          walletId: from.walletId,
          recipientId: to.userId,
          amount: AMOUNT,
          note: 'Tea',
        };
        return post<RouteReply<'payPerson'>>(from.cookie, '/api/payments/people', body);
      },
    },
    ...signIns(url, company.signingIn),
  ];
}

function bodyOf(act: string): object {
  return act === 'reject' || act === 'stop' ? { reason: REASON } : {};
}

/** People who sign in, each in a browser of their own, and sign out again. */
function signIns(url: string, addresses: readonly string[]): Kind[] {
  const out = addresses.map((email) => ({ email, cookie: '' }));
  const signedIn: typeof out = [];
  const send = async (path: string, browser: { cookie: string }, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: unsafeHeaders(url, browser.cookie),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.text();
    browser.cookie = cookieAfter(browser.cookie, response.headers.getSetCookie());
  };
  return [
    {
      name: 'Sign-ins',
      share: 1,
      async send() {
        const browser = out.shift();
        if (browser === undefined) throw new Error('everybody is signed in');
        const { email } = browser;
        await send('/api/auth/sign-in', browser, { email, password: TEST_PASSWORD });
        signedIn.push(browser);
      },
    },
    {
      name: 'Sign-outs',
      share: 1,
      async send() {
        const browser = signedIn.shift();
        if (browser === undefined) return;
        await send('/api/auth/sign-out', browser, {});
        out.push(browser);
      },
    },
  ];
}
