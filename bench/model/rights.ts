import type { RouteReply } from '#contract/api.ts';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { anAdmin, anEmployee, attempt, isOpenOf, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { Company } from './company.ts';
import { FURTHER } from './payments.ts';
import { isOpenBatch } from './payroll.ts';

const REASON = { reason: 'A reason that is long enough' };

/** A person stops their own payouts, an administrator those of somebody, or lets them leave again. */
function freeze(company: Company): Attempt | null {
  const { random, oracle } = company;
  const frozen = [...oracle.people.values()].filter(({ isFrozen }) => isFrozen);
  if (frozen.length === 0 && random.chance(0.7)) return null;
  if (frozen.length === 0 && random.chance(0.25)) {
    const by = anEmployee(company);
    return attempt({
      by,
      path: '/api/security/freeze-payouts',
      refusals: [],
      done: () => {
        by.isFrozen = true;
      },
    });
  }
  const by = anAdmin(company);
  const isRelease = frozen.length > 0 ? random.chance(0.85) : random.chance(0.1);
  const person = (isRelease ? pickOne(company, frozen) : null) ?? anEmployee(company);
  return attempt({
    by,
    path: `/api/admin/people/${person.id}/${isRelease ? 'release' : 'freeze'}-payouts`,
    body: REASON,
    confirms: isRelease,
    refusals: [
      person === by && 'own_account',
      isRelease && !person.isFrozen && 'payouts_not_frozen',
      !isRelease && person.isFrozen && 'payouts_frozen_already',
    ],
    done: () => {
      person.isFrozen = !isRelease;
    },
  });
}

/** An administrator opens a further account of somebody, also one that was closed. */
function openFor(company: Company): Attempt | null {
  const { oracle, random } = company;
  const person = anEmployee(company);
  const type = aFurtherType(company, person.id, true);
  const known = oracle.accountOf(person.id, type);
  if (known?.isClosed === false && random.chance(0.8)) return null;
  return attempt<RouteReply<'adminOpenWallet'>>({
    by: anAdmin(company),
    path: `/api/admin/employees/${person.id}/wallets`,
    body: { type },
    refusals: [
      known?.isClosed === false && 'wallet_exists',
      ![...oracle.accounts.values()].some(isOpenOf(person)) && 'no_accounts',
    ],
    done({ id }) {
      if (known === undefined) oracle.openAccount(id, person.id, type);
      else known.isClosed = false;
    },
  });
}

function closeOf(company: Company): Attempt | null {
  const { oracle } = company;
  const person = anEmployee(company);
  const type = aFurtherType(company, person.id, false);
  const account = oracle.accountOf(person.id, type);
  const isOpen = account?.isClosed === false;
  const isOf = (one: { walletId: string }) => one.walletId === account?.id;
  const deposits = [...oracle.deposits.values()].filter(isOf);
  const standing = [...oracle.standingBills.values()].filter(isOf);
  const batches = [...oracle.batches.values()].filter(({ lines }) => lines.some(isOf));
  return attempt({
    by: anAdmin(company),
    path: `/api/admin/employees/${person.id}/wallets/close`,
    body: { type },
    refusals: [
      !isOpen && 'wallet_not_found',
      isOpen && (account.posted !== 0n || account.held !== 0n) && 'wallet_not_empty',
      (deposits.some(({ status }) => status === 'pending') ||
        standing.some(({ nextOn }) => nextOn !== null) ||
        batches.some(isOpenBatch)) &&
        'wallet_in_use',
    ],
    done: () => {
      if (account !== undefined) account.isClosed = true;
    },
  });
}

/** A type of a further account, mostly one that is closed, or one that is open and empty. */
function aFurtherType(company: Company, ownerId: string, isClosed: boolean): FurtherWalletType {
  const { oracle, random } = company;
  const fits = (type: FurtherWalletType) => {
    const account = oracle.accountOf(ownerId, type);
    return account?.isClosed === isClosed && account.posted === 0n && account.held === 0n;
  };
  return pickOne(company, FURTHER.filter(fits)) ?? random.pick(FURTHER);
}

export const rightsMoves: readonly Move[] = [
  { weight: 6, make: freeze },
  { weight: 3, make: openFor },
  { weight: 5, make: closeOf },
];
