import type { WalletType } from '#contract/wallets.ts';
import { fullName } from '#contract/person-name.ts';
import type { Tx } from '#server/db/tx.ts';
import { createEmployeeAccount } from '#server/modules/employees/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { DEMO_SIGN_INS } from './company.ts';
import type { RosterEntry } from './roster.ts';
import { daysAgo, FIRST_DAYS_AGO, hoursAfter } from './story.ts';
import type { DemoPerson, Story } from './story.ts';

/** Have no savings account, so that a payroll into savings skips them. */
const WITHOUT_SAVINGS = ['Leilani Kahananui', 'Omar Haddad'];
const WITH_EVERYTHING = ['Maya Castellanos', 'Keiko Tanabe'];

/** Share of people with each optional account. */
const SHARES = { savings: 0.6, retirement: 0.35, irs: 0.2 } as const;

/** Hashes of passwords: the demo's own, and one that nobody knows, of whoever is there to be seen. */
export interface DemoPasswords {
  own: string;
  unknown: string;
}

/**
 * Plans the day on which a person joins. `onJoined` plans what they do from then on.
 *
 * @param place how many joined before them on the same day
 */
export function planJoining(
  story: Story,
  entry: RosterEntry,
  { place, passwords }: { place: number; passwords: DemoPasswords },
  onJoined: (person: DemoPerson) => void,
): void {
  const morning = daysAgo(story, entry.joinedDaysAgo ?? FIRST_DAYS_AGO, '08:30');
  const joinedAt = hoursAfter(morning, place / 20);
  story.timeline.at(joinedAt, async (tx) => {
    onJoined(await join(tx, story, entry, { joinedAt, passwords }));
  });
}

async function join(
  tx: Tx,
  story: Story,
  entry: RosterEntry,
  { joinedAt, passwords }: { joinedAt: Date; passwords: DemoPasswords },
): Promise<DemoPerson> {
  const { services, admins } = story;
  const { email, firstName, lastName, department, position } = entry;
  const canSignIn = DEMO_SIGN_INS.some((signIn) => signIn.email === email);
  const { id } = await createEmployeeAccount(tx, services, admins[0], {
    email,
    firstName,
    lastName,
    department,
    position,
    passwordHash: canSignIn ? passwords.own : passwords.unknown,
  });
  const name = fullName(entry);
  for (const type of furtherWallets(story, entry, name)) {
    await openWallet(tx, services, { userId: id, type });
  }
  return { ...entry, by: { actor: { id, role: 'employee', name } }, joinedAt, bankAccountId: null };
}

function furtherWallets(story: Story, { department }: RosterEntry, name: string): WalletType[] {
  const types = Object.keys(SHARES) as (keyof typeof SHARES)[];
  const drawn = types.filter((type) => story.random.chance(SHARES[type]));
  if (WITH_EVERYTHING.includes(name)) return types;
  const others = drawn.filter((type) => type !== 'savings');
  if (WITHOUT_SAVINGS.includes(name)) return others;
  return department === 'customer-support' ? ['savings', ...others] : drawn;
}
