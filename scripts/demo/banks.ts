import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  addBankAccount,
  listBankAccounts,
  bankAccountActs,
  updateBankAccount,
} from '#server/modules/bank-accounts/index.ts';
import type { Services } from '#server/services.ts';
import { BANKS } from './company.ts';
import type { Bank } from './company.ts';
import { anyAdmin, daysAfter, daysAgo } from './story.ts';
import type { DemoPerson, Story } from './story.ts';

const [CASCADE, MERIDIAN, HALDEN, BALLARD] = BANKS;

/** People whose first bank account is planned elsewhere, with its last four digits. */
const FIRST_ACCOUNTS: Readonly<Record<string, readonly [Bank, string]>> = {
  'Maya Castellanos': [CASCADE, '2208'],
  'Grace Achieng': [CASCADE, '0917'],
  'Wesley Tran': [BALLARD, '6612'],
  'Anil Deshpande': [HALDEN, '3376'],
  'Siobhán Doyle': [MERIDIAN, '1180'],
  'Luis Ángel Prieto': [BALLARD, '2093'],
  'Keiko Tanabe': [CASCADE, '5540'],
  'Tyrell Jackson': [MERIDIAN, '7705'],
  'Hannah Greenbaum': [CASCADE, '8821'],
  'Mei-Ling Chou': [HALDEN, '0043'],
};

interface FurtherAccount {
  bank: Bank;
  last4: string;
  daysAgo: number;
  outcome: 'verify' | 'reject' | 'wait';
}

const FURTHER_ACCOUNTS: Readonly<Record<string, readonly FurtherAccount[]>> = {
  'Maya Castellanos': [
    { bank: MERIDIAN, last4: '4471', daysAgo: 203, outcome: 'verify' },
    { bank: HALDEN, last4: '9035', daysAgo: 1, outcome: 'wait' },
  ],
  'Ryan Bergstrom': [{ bank: BALLARD, last4: '3310', daysAgo: 2, outcome: 'wait' }],
  'Helen Kwok': [{ bank: MERIDIAN, last4: '8026', daysAgo: 3, outcome: 'wait' }],
  'Antonio Russo': [{ bank: HALDEN, last4: '5519', daysAgo: 76, outcome: 'reject' }],
  'Noor Al-Masri': [{ bank: CASCADE, last4: '2750', daysAgo: 11, outcome: 'reject' }],
};

const REJECTION = 'The account holder is another person.';

/** Plans the bank accounts a person adds, and what becomes of them. */
export function planBankAccounts(story: Story, person: DemoPerson): void {
  const { name } = person.by.actor;
  if (person.identity === 'untouched' || person.identity === 'begun') return;
  const [bank, last4] = FIRST_ACCOUNTS[name] ?? [story.random.pick(BANKS), story.random.digits(4)];
  const addedAt = daysAfter(story, person.joinedAt, 3);
  planBankAccount(story, person, addedAt, { bank, last4, outcome: 'verify' });
  for (const account of FURTHER_ACCOUNTS[name] ?? []) {
    planBankAccount(story, person, daysAgo(story, account.daysAgo, '11:26'), account);
  }
}

function planBankAccount(
  story: Story,
  person: DemoPerson,
  addedAt: Date,
  { bank, last4, outcome }: Omit<FurtherAccount, 'daysAgo'>,
): void {
  const { services, timeline } = story;
  const admin = anyAdmin(story);
  const accountNumber = `${story.random.digits(6)}${last4}`;
  const decidedAt = daysAfter(story, addedAt, 1);
  timeline.at(addedAt, async (tx) => {
    const { id } = await addBankAccount(tx, services, person.by, {
      bankName: bank.name,
      accountType: bank === MERIDIAN ? 'savings' : 'checking',
      accountNumber,
      routingNumber: bank.routingNumber,
      accountHolderName: person.by.actor.name,
    });
    if (outcome === 'wait') return;
    timeline.at(decidedAt, async (later) => {
      if (outcome === 'reject') {
        await bankAccountActs.reject(later, services, admin, { id, reason: REJECTION });
        return;
      }
      await bankAccountActs.verify(later, services, admin, { id });
      person.bankAccountId ??= id;
    });
  });
}

/** Has an owner confirm the account that a payout came back from, and an admin verify it again. */
export async function verifyAgain(
  tx: Tx,
  services: Services,
  {
    owner,
    admin,
    bankAccountId: id,
  }: Record<'owner' | 'admin', CommandContext> & { bankAccountId: string },
): Promise<void> {
  const { items } = await listBankAccounts(tx, services, { ...owner, as: 'owner' }, owner.actor.id);
  const account = items.find((one) => one.id === id);
  if (account?.status !== 'returned') return;
  const { bankName, accountType, routingNumber, accountHolderName } = account;
  const change = { bankName, accountType, routingNumber, accountHolderName };
  await updateBankAccount(tx, services, owner, { id, change });
  await bankAccountActs.verify(tx, services, admin, { id });
}
