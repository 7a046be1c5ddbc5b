import { randomUUID } from 'node:crypto';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { Clock } from '#server/lib/clock.ts';
import { StartError } from '#server/lib/start-error.ts';
import { dismissSetup } from '#server/modules/company/index.ts';
import { hashPassword } from '#server/modules/identity/index.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { createAdmins } from './admins.ts';
import { demoSchedule } from './calendar.ts';
import { planBankAccounts } from './banks.ts';
import { planBills } from './bills.ts';
import { createDemoClock } from './clock.ts';
import {
  COMPANY_NAME,
  DEMO_PASSWORD,
  DEMO_SIGN_INS,
  DEPOSIT_PLACES,
  EMPLOYEE_NUMBER_PREFIX,
} from './company.ts';
import { planDeposits, planRecentDeposits } from './deposits.ts';
import { planIdentity } from './identities.ts';
import { ADMINS_READ_HOURS_AGO, planInbox, planReading } from './inbox.ts';
import { planJoining } from './joining.ts';
import type { DemoPasswords } from './joining.ts';
import { alone } from './making-lock.ts';
import { planPayrolls } from './payrolls.ts';
import { seededRandom } from './random.ts';
import { planRecentWithdrawals } from './recent-withdrawals.ts';
import { readRoster } from './roster.ts';
import { drawSpecimens } from './specimens.ts';
import { FIRST_DAYS_AGO, hoursAfter, settledMonths } from './story.ts';
import type { DemoPerson, Story, Specimens } from './story.ts';
import { Timeline } from './timeline.ts';
import { planWalletDocuments } from './wallet-documents.ts';
import { planWithdrawals } from './withdrawals.ts';

export { DEMO_PASSWORD, DEMO_SIGN_INS };

const SEED = 20_261_208;

export interface DemoOptions {
  db: Db;
  /** The server's own services, with the clock it is handed. */
  createServices(clock: Clock): Services;
  /** Called with what takes time. */
  log(sentence: string): void;
  /** The present: nothing of the demo company lies after it. */
  now: Date;
}

/**
 * Makes Tallis & Reed, Inc.: some sixty people, two admins, and the year behind them, all through
 * the commands that people use, so that every balance is the sum of real postings. Does nothing
 * where it was made before, or where anybody has an account or an invite already. It has to be done
 * before anything else runs on the database.
 *
 * The mails, live events and jobs that all of it asked for are dropped at the end: nobody should get
 * a mail about last spring. The audit trail and the ledger's `recorded_at` keep the real time.
 *
 * @returns whether the company was made now
 * @throws {StartError} when an earlier start was stopped in the middle of it
 */
export function createDemoCompany(options: DemoOptions): Promise<boolean> {
  const say = (sentence: string) => options.log(sentence);
  return alone(options.db, say, () => makeCompany(options));
}

async function makeCompany(options: DemoOptions): Promise<boolean> {
  const { db, now } = options;
  const { demo } = await readSettings(db);
  if (demo === 'unfinished') {
    throw new StartError(
      'Making the demo company was stopped half-way. Delete the data folder (or empty the ' +
        'database) and start again, or start blank with: npm start -- --empty',
    );
  }
  if (demo === 'complete' || (await isInhabited(db))) return false;

  options.log(`Making the demo company, ${COMPANY_NAME}, with a year of payrolls ...`);
  const clock = createDemoClock(hoursAfter(now, -24 * (FIRST_DAYS_AGO + 1)));
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const unknown = await hashPassword(randomUUID());
  const specimens = await drawSpecimens();
  const story = await begin(options, options.createServices(clock), { passwordHash, specimens });
  planYear(story, { own: passwordHash, unknown });
  await story.timeline.play(db, clock);
  clock.set(now);
  await finish(db, story);
  return true;
}

async function isInhabited(db: Db): Promise<boolean> {
  const user = await db.selectFrom('appUser').select('id').limit(1).executeTakeFirst();
  const invite = await db.selectFrom('adminInvite').select('id').limit(1).executeTakeFirst();
  return user !== undefined || invite !== undefined;
}

/** The company itself and its admins. */
async function begin(
  { db, now }: DemoOptions,
  services: Services,
  { passwordHash, specimens }: { passwordHash: string; specimens: Specimens },
): Promise<Story> {
  return withTx(db, async (tx) => {
    const { timeZone } = await readSettings(tx);
    const patch = {
      companyName: COMPANY_NAME,
      employeeNumberPrefix: EMPLOYEE_NUMBER_PREFIX,
      schedule: demoSchedule(now, timeZone),
      // The whole way of a withdrawal is shown in one sitting.
      payoutCoolingHours: 0,
      payrollCancelSeconds: 0,
      demo: 'unfinished',
      ...DEPOSIT_PLACES,
    } as const;
    await updateSettings(tx, services, { actor: 'system' }, patch);
    await setTimeZone(tx, timeZone);
    await dismissSetup(tx, services, { actor: 'system' });
    const admins = await createAdmins(tx, services, passwordHash);
    const [timeline, random] = [new Timeline(now), seededRandom(SEED)];
    return { now, timeZone, services, timeline, random, specimens, admins };
  });
}

function planYear(story: Story, passwords: DemoPasswords): void {
  const people: DemoPerson[] = [];
  for (const [place, entry] of readRoster().entries()) {
    planJoining(story, entry, { place, passwords }, (person) => {
      people.push(person);
      planLife(story, person);
    });
  }
  planPayrolls(story);
  planRecentDeposits(story, people);
  planRecentWithdrawals(story, people);
  planBills(story, people);
  for (const admin of story.admins) planReading(story, admin, ADMINS_READ_HOURS_AGO);
}

/** Plans a person's acts, from the day they joined. */
function planLife(story: Story, person: DemoPerson): void {
  planIdentity(story, person);
  planWalletDocuments(story, person);
  planBankAccounts(story, person);
  planInbox(story, person);
  if (person.identity !== 'approved' && person.identity !== 'second') return;
  const months = settledMonths(story, person);
  planDeposits(story, person, months);
  planWithdrawals(story, person, months);
}

async function finish(db: Db, { services }: Story): Promise<void> {
  await withTx(db, async (tx) => {
    await tx.deleteFrom('outbox').execute();
    await updateSettings(tx, services, { actor: 'system' }, { demo: 'complete' });
  });
}
