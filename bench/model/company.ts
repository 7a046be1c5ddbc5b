import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { zoneOf } from '#contract/time-zones.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { addCompanyAccount } from '#server/modules/company-bank/accounts.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import { createApiKey } from '#server/modules/identity/api-keys/create-api-key.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { seededRandom } from '#scripts/demo/random.ts';
import type { Random } from '#scripts/demo/random.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import {
  createAdmin,
  createEmployee,
  createEmployeeAdmin,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { hoursPass } from '#test/hours-pass.ts';
import { commandAt, Coverage } from './coverage.ts';
import { Oracle } from './oracle.ts';
import { zoneOfRules } from './rules.ts';
import type { RuleName } from './rules.ts';
import type { ModelKey, ModelPerson } from './things.ts';

/** A day of the past, so that a seed replays: nothing is posted later than the database's own clock. */
const BEGINS = '2024-01-30T15:00:00.000Z';
/** Sessions of the model are made again this often, by the true time: a confirmation lasts ten minutes. */
const SESSION_MS = 4 * 60_000;
/** A day on which no browser is new: sessions end by the true time. */
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000);
/** Turns after which hourly limits begin again. */
const TURNS_OF_LIMITS = 10;
const THRESHOLDS = {
  separatePayroll: 2_000_000n,
  separateDeposit: 300_000n,
  separateBankAccount: 120_000n,
  separatePayout: 200_000n,
  separateReturn: 150_000n,
  separateUsualPay: 250_000n,
} as const satisfies Partial<Record<RuleName, bigint>>;

/** The real application on a database of its own, with what the oracle knows of it. */
export interface Company {
  app: TestApp;
  oracle: Oracle;
  random: Random;
  coverage: Coverage;
  /** Number of the last row of the audit trail that was compared. */
  trail: { lastId: bigint };
  now: () => Date;
  today: () => string;
  /** Day of the company at a time. */
  dayOf: (at: Date) => string;
  /** Month of the company: `2026-11`. */
  month: () => string;
  pass: (minutes: number) => void;
  /** Does something while every clock of the application is at that time. */
  at: <T>(time: Date, work: () => Promise<T>) => Promise<T>;
  /** The company's account, whose statements are imported; null in a company that closes months instead. */
  bankId: string | null;
  /** Notes a person who was added, with the accounts that the company opened for them. */
  meet: (person: Pick<ModelPerson, 'id' | 'name' | 'email'>) => Promise<void>;
  /** Notes accounts of an employee that the oracle does not know, which the company opened. */
  noteAccounts: (person: ModelPerson) => Promise<void>;
  /** Begins hourly limits again, and sessions where the run has lasted longer than they do. */
  refresh(): Promise<void>;
  /** Gives a person new sessions. */
  signIn(person: ModelPerson): Promise<void>;
  close(): Promise<void>;
}

export async function openCompany(seed: number): Promise<Company> {
  const random = seededRandom(seed);
  let now = new Date(BEGINS);
  const clock = { now: () => new Date(now) };
  const coverage = new Coverage();
  const app = await openTestApp({ clock });
  const send = app.ask;
  app.ask = async (method, path, request) => {
    const name = method === 'GET' ? undefined : commandAt(method, path);
    const response = await send(method, path, request);
    if (name !== undefined) coverage.note(name, response.ok);
    return response;
  };
  const { db } = app;
  const services = { ...app.services, clock };
  const oracle = new Oracle();
  const admins = [
    await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' }),
    await createAdmin(db, services, { firstName: 'Theo', lastName: 'Marchetti' }),
    await createAdmin(db, services, { firstName: 'Aanya', lastName: 'Rao' }),
  ];
  const [first] = admins as [TestPerson];
  const both = await createEmployeeAdmin(db, services, { firstName: 'Ines', lastName: 'Both' });
  const employees = [];
  for (const lastName of ['One', 'Two', 'Three', 'Four']) {
    employees.push(await createEmployee(db, services, { firstName: 'Ana', lastName }));
  }
  await offerDeposits(db, services);
  const approved = [both, ...employees.slice(0, 3)];
  for (const { by } of approved) await approveIdentity(db, services, by, first.by);
  await hoursPass(app, 1_000);
  await setRules({ db, services }, first.by, random, oracle);
  for (const person of [...admins, both, ...employees]) {
    oracle.people.set(person.id, {
      ...aPerson(person),
      password: TEST_PASSWORD,
      isAdmin: admins.includes(person) || person === both,
      isEmployee: person === both || employees.includes(person),
      isApproved: approved.includes(person),
    });
  }
  // Stands for a verification of everything that found nothing.
  await sql`INSERT INTO verification_run (started_at, finished_at, is_sound, head_height)
            VALUES (now(), now(), true, 0)`.execute(db);
  let madeMs = Number.NEGATIVE_INFINITY;
  let turns = 0;
  async function refresh(): Promise<void> {
    turns += 1;
    // A run does more in an hour than a person may.
    if (turns % TURNS_OF_LIMITS === 0) await sql`DELETE FROM rate_limit`.execute(db);
    if (performance.now() - madeMs < SESSION_MS) return;
    madeMs = performance.now();
    for (const person of oracle.people.values()) {
      if (!person.hasLeft) await signIn(person);
    }
  }
  async function signIn(person: ModelPerson): Promise<void> {
    person.cookie = await app.cookieOf(person);
    person.weakCookie = await app.cookieOf(person, { isConfirmed: false });
    person.newCookie = await app.cookieOf(person, { newUntil: NEXT_YEAR });
  }
  await refresh();
  const key = await makeKey(app, first.by);
  oracle.apiKeys.set(key.id, key);
  const noteAccounts = (person: ModelPerson) => noteWallets(app, oracle, person);
  for (const person of oracle.people.values()) await noteAccounts(person);
  const dayOf = (at: Date) => dayIn(zoneOfRules(oracle.rules), at);
  const today = () => dayOf(now);
  const bankId = random.chance(0.5) ? await addBank(app, services, first.by) : null;
  return {
    app,
    oracle,
    random,
    coverage,
    trail: { lastId: await lastOfTrail(app) },
    noteAccounts,
    refresh,
    signIn,
    today,
    dayOf,
    bankId,
    async at(time, work) {
      const present = now;
      now = time;
      try {
        return await work();
      } finally {
        now = present;
      }
    },
    async meet(added) {
      const person = aPerson(added);
      await signIn(person);
      oracle.people.set(person.id, person);
      await noteAccounts(person);
    },
    now: () => new Date(now),
    month: () => today().slice(0, 7),
    pass: (minutes) => {
      now = new Date(now.getTime() + minutes * 60_000);
    },
    close: () => app.close(),
  };
}

/** Company rules by chance: some duties take two people, and the company has one of several time zones. */
async function setRules(
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  by: CommandContext,
  random: Random,
  oracle: Oracle,
): Promise<void> {
  const duties = Object.fromEntries(
    Object.entries(THRESHOLDS).map(([name, minor]) => [name, random.chance(0.4) ? null : minor]),
  ) as Record<keyof typeof THRESHOLDS, bigint | null>;
  const timeZone = random.pick(['est', 'est', 'pst', 'berlin']);
  const automaticPayoutBelow = random.pick([null, 30_000n, 100_000n]);
  const bankAccountProof = random.pick(['none', 'none', 'prenote', 'micro_deposits']);
  const rules = { ...duties, timeZone, bankAccountProof, automaticPayoutBelow };
  const { version } = await withTx(db, async (tx) => {
    await setTimeZone(tx, zoneOf(timeZone));
    return updateSettings(tx, services, by, {
      timeZoneId: timeZone,
      payrollCancelSeconds: oracle.rules.payrollCancelSeconds,
      separatePayrollMinor: duties.separatePayroll,
      separateDepositMinor: duties.separateDeposit,
      separateBankAccountMinor: duties.separateBankAccount,
      automaticPayoutBelowMinor: automaticPayoutBelow,
      separatePayoutMinor: duties.separatePayout,
      separateReturnMinor: duties.separateReturn,
      separateUsualPayMinor: duties.separateUsualPay,
      payoutFormat: 'nacha',
      bankAccountProof,
      payoutBankName: 'Northgate Commerce Bank',
      payoutRoutingNumber: '084207311',
      payoutAccountNumber: '00964410',
      payoutCompanyId: '1912345678',
      payoutIsBalanced: false,
    });
  });
  for (const name of Object.keys({ ...oracle.rules, ...rules }) as RuleName[]) {
    const value = { ...oracle.rules, ...rules }[name];
    // The application begins without files, and a payroll is sent immediately in a test.
    const isNew = name === 'payoutFormat' || name === 'payrollCancelSeconds';
    if (isNew || value !== oracle.rules[name]) oracle.changedIn.set(name, version);
  }
  Object.assign(oracle.rules, rules);
}

async function addBank(
  { db }: TestApp,
  services: TestApp['services'],
  by: CommandContext,
): Promise<string> {
  const account = { bankName: 'Northgate', label: 'Employee funds', number: '00964410' };
  const order = { ...account, routingNumber: '084207311' };
  return (await withTx(db, (tx) => addCompanyAccount(tx, services, by, order))).id;
}

/** An employee without a password, whose identity is not approved. */
function aPerson({ id, name, email }: Pick<ModelPerson, 'id' | 'name' | 'email'>): ModelPerson {
  return {
    id,
    name,
    email,
    password: '',
    isAdmin: false,
    isEmployee: true,
    isApproved: false,
    isFrozen: false,
    hasLeft: false,
    cookie: '',
    weakCookie: '',
    newCookie: '',
  };
}

async function lastOfTrail({ db }: TestApp): Promise<bigint> {
  const { last } = await db
    .selectFrom('auditEvent')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return last;
}

/** A key that reads people, by the true time, by which keys end. */
async function makeKey({ db, services }: TestApp, by: CommandContext): Promise<ModelKey> {
  const order = { name: 'Reports', scopes: ['people:read' as const], days: 30 };
  const { id, key } = await withTx(db, (tx) => createApiKey(tx, services, by, order));
  const unused = { dailyLimit: null, sent: new Map<string, bigint>(), added: new Set<string>() };
  return { id, key, makerId: by.actor.id, scopes: order.scopes, status: 'active', ...unused };
}

/** Accounts that the company opened for a person. */
async function noteWallets(app: TestApp, oracle: Oracle, person: ModelPerson): Promise<void> {
  if (!person.isEmployee) return;
  const reply = await app.ask('GET', '/api/wallets', { cookie: person.cookie });
  const { accounts } = (await reply.json()) as RouteReply<'listWallets'>;
  for (const { id, type } of accounts) {
    if (!oracle.accounts.has(id)) oracle.openAccount(id, person.id, type);
  }
}

export function usd(minor: bigint) {
  return money(minor, 'USD');
}
