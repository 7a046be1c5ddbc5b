import { sql } from 'kysely';
import type pg from 'pg';
import { addMonths, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { addCompanyAccount } from '#server/modules/company-bank/accounts.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { ensureApplication } from '#server/modules/kyc/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { changeTransfers } from '#server/modules/transfers/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createMoneyCompany } from '#test/money-company.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import { DEPOSIT_MINOR } from './load.ts';
import type { Closing, Desk, Further, Latecomer } from './load-options.ts';

const SALARY_MINOR = 1_000_000_000n;
const LATECOMER_MINOR = 100_000n;
/** Amount that goes to savings after each payroll. */
const SAVED_MINOR = 10n;
const TIME_ZONE = 'America/New_York';

/** A company that everything can happen to, and where its money began. */
export interface ChaosCompany {
  company: MoneyCompany;
  further: Further;
  desk: Desk;
  closing: Closing;
  /** Pending deposits to decide. */
  deposits: string[];
  /** Money of each person who requests some, in minor units. */
  fundedMinor: bigint;
}

interface Size {
  payees: number;
  employees: number;
  deposits: number;
  /** Folder of the servers' data. */
  folder: string | undefined;
}

/** Makes the company in a migrated database. Its books are sound. */
export async function openChaosCompany(
  at: { db: Db; pool: pg.Pool; ownerUrl: string },
  { payees, employees, deposits, folder }: Size,
): Promise<ChaosCompany> {
  const { db } = at;
  const month = addMonths(`${dayIn(TIME_ZONE, new Date()).slice(0, 7)}-01`, -1).slice(0, 7);
  let latecomer: Omit<Latecomer, 'cookie'> | undefined;
  const company = await createMoneyCompany(at, {
    people: payees,
    fundedMinor: SALARY_MINOR,
    folder,
    before: async (services) => {
      latecomer = await openLatecomer(db, services, month);
    },
  });
  if (latecomer === undefined) throw new Error('nobody has money of the month before');
  await seedEmployees(db, { count: employees });
  await offerDeposits(db, company.services);
  await withTx(db, (tx) =>
    updateSettings(tx, company.services, company.admin.by, {
      payoutFormat: 'nacha',
      payoutIsBalanced: false,
      payoutBankName: 'Northgate Commerce Bank',
      payoutRoutingNumber: '084207311',
      payoutAccountNumber: '00964410',
      payoutCompanyId: '1912345678',
    }),
  );
  const cookie = await company.signIn(latecomer.userId);
  const further = await openFurther(db, company);
  const account = { bankName: 'Northgate', label: 'Employee funds', number: '00964410' };
  const { id: accountId } = await withTx(db, (tx) =>
    addCompanyAccount(tx, company.services, company.admin.by, {
      ...account,
      routingNumber: '084207311',
    }),
  );
  await recordAcceptances(db);
  await sql`INSERT INTO verification_run (started_at, finished_at, is_sound, head_height)
            VALUES (now(), now(), true, 0)`.execute(db);
  return {
    company,
    further,
    fundedMinor: SALARY_MINOR,
    desk: { accountId, closingMinor: 0n, coming: [], returned: 0 },
    closing: { month, isClosed: false, changes: 0, latecomer: { ...latecomer, cookie } },
    deposits: await requestDeposits(db, company, deposits),
  };
}

/** A person with two accounts, which no payroll of the present month pays into. */
async function openLatecomer(db: Db, services: Services, month: string) {
  const clock = { now: () => new Date(`${month}-14T15:00:00Z`) };
  const by = await createPersonBy(db);
  const { id: userId } = by.actor;
  const from = await fundedWallet(db, { ...services, clock }, by, LATECOMER_MINOR, 'savings');
  const to = await withTx(db, (tx) => openWallet(tx, services, { userId, type: 'retirement' }));
  await withTx(db, (tx) => ensureApplication(tx, services, userId));
  return { userId, fromWalletId: from.id, toWalletId: to.id };
}

/** A wallet for savings, to which money goes after each payroll, and a payee outside for each person. */
async function openFurther(db: Db, { payees, services }: MoneyCompany): Promise<Further> {
  const further = new Map<string, { savingsId: string; payeeId: string }>();
  for (const { by, wallet } of payees) {
    const { id: userId } = by.actor;
    const savings = await withTx(db, (tx) => openWallet(tx, services, { userId, type: 'savings' }));
    const to = { kind: 'wallet', id: savings.id } as const;
    const rule = { kind: 'fixed', amount: money(SAVED_MINOR, 'USD'), to } as const;
    await withTx(db, (tx) =>
      changeTransfers(tx, services, by, { walletId: wallet.id, version: 0, rules: [rule] }),
    );
    const payeeId = await outsidePayee(db, services, by);
    further.set(by.actor.id, { savingsId: savings.id, payeeId });
  }
  return further;
}

/** People of tests are made as bare rows. Here verification asks for the record of each. */
async function recordAcceptances(db: Db): Promise<void> {
  const people = await db
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'employee')
    .where('acceptedAt', 'is not', null)
    .execute();
  await withTx(db, async (tx) => {
    for (const { id } of people) {
      const subject = { subjectType: 'user', subjectId: id, personId: id } as const;
      recordAudit(tx, { by: { actor: 'system' }, action: 'user.created', ...subject });
    }
    await Promise.resolve();
  });
}

async function requestDeposits(
  db: Db,
  { payees, services }: MoneyCompany,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const payee = payees[index % payees.length];
    if (payee === undefined) break;
    const input = {
      walletId: payee.wallet.id,
      method: 'ach' as const,
      amount: money(DEPOSIT_MINOR, 'USD'),
    };
    const { id } = await withTx(db, (tx) => requestDeposit(tx, services, payee.by, input));
    ids.push(id);
  }
  return ids;
}
