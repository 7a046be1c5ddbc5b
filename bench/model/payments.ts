import type { RouteReply } from '#contract/api.ts';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { anAmount, anEmployee, attempt, isOpenOf, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelPayee, ModelPerson } from './things.ts';

/** Limits in minor units (docs/rules.md, "Payments"). */
const PAYMENT = { most: 500_000n, daily: 1_000_000n };
export const FURTHER = [
  'savings',
  'retirement',
  'irs',
] as const satisfies readonly FurtherWalletType[];

function payColleague(company: Company): Attempt | null {
  const { oracle } = company;
  const by = anEmployee(company);
  const wallet = pickMostly(company, oracle.accounts.values(), isOpenOf(by));
  const to = pickMostly(
    company,
    oracle.people.values(),
    (one) => one.isEmployee && !one.hasLeft && one !== by,
  );
  if (wallet === null || to === null) return null;
  const minor = anAmount(company);
  const day = company.today();
  const paid = oracle.payments
    .filter((one) => one.payerId === by.id && one.day === day)
    .reduce((sum, one) => sum + one.minor, 0n);
  const target = oracle.accountOf(to.id, 'salary');
  return attempt({
    by,
    path: '/api/payments/people',
    sends: minor,
    body: { walletId: wallet.id, recipientId: to.id, amount: usd(minor), note: 'Tea' },
    refusals: [
      to === by && 'own_payment',
      minor > PAYMENT.most && 'payment_limit',
      oracle.isStopped && 'payments_stopped',
      (target === undefined || to.isFrozen || to.hasLeft) && 'recipient_not_found',
      oracle.lacksIdentity(by) && 'identity_not_approved',
      by.isFrozen && 'own_payouts_frozen',
      !isOpenOf(by)(wallet) && 'wallet_not_found',
      paid + minor > PAYMENT.daily && 'payment_daily_limit',
      minor > oracle.available(wallet.id) && 'insufficient_funds',
    ],
    done() {
      if (target === undefined) return;
      oracle.payments.push({ payerId: by.id, minor, day });
      oracle.post(wallet.id, 'transfer', -minor, company.now());
      oracle.post(target.id, 'transfer', minor, company.now());
    },
  });
}

function moveMoney(company: Company): Attempt | null {
  const { oracle } = company;
  const by = anEmployee(company);
  const isOwn = isOpenOf(by);
  const from = pickMostly(company, oracle.accounts.values(), isOwn);
  const to = pickMostly(company, oracle.accounts.values(), (one) => isOwn(one) && one !== from);
  if (from === null || to === null) return null;
  const minor = anAmount(company);
  return attempt({
    by,
    path: '/api/wallets/moves',
    body: { fromWalletId: from.id, toWalletId: to.id, amount: usd(minor) },
    refusals: [
      from === to && 'same_wallet',
      oracle.isStopped && 'payments_stopped',
      !(isOwn(from) && isOwn(to)) && 'wallet_not_found',
      minor > oracle.available(from.id) && 'insufficient_funds',
    ],
    done() {
      oracle.post(from.id, 'move', -minor, company.now());
      oracle.post(to.id, 'move', minor, company.now());
    },
  });
}

function openWallet(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const type = random.pick(FURTHER);
  const known = oracle.accountOf(by.id, type);
  return attempt<RouteReply<'openFurtherWallet'>>({
    by,
    path: '/api/wallets',
    body: { type },
    refusals: [
      known?.isClosed === false && 'wallet_exists',
      known?.isClosed === true && 'wallet_closed',
      ![...oracle.accounts.values()].some(isOpenOf(by)) && 'no_accounts',
    ],
    done({ id }) {
      oracle.openAccount(id, by.id, type);
    },
  });
}

function addPayee(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const own = [...oracle.payees.values()].filter(isPayeeOf(by));
  if (own.length >= 2) return null;
  return attempt<RouteReply<'addPayee'>>({
    by,
    path: '/api/payees',
    confirms: true,
    body: {
      name: 'Harbor Fiber',
      kind: random.pick(['business', 'person']),
      isSaved: true,
      routingNumber: '021000021',
      accountNumber: random.digits(11),
      accountType: 'checking',
    },
    refusals: [],
    done({ id }) {
      oracle.payees.set(id, {
        id,
        ownerId: by.id,
        isReturned: false,
        isRemoved: false,
        enteredAt: company.now(),
      });
    },
  });
}

/** True for a payee whom a person has and did not remove. */
export function isPayeeOf({ id }: ModelPerson) {
  return ({ ownerId, isRemoved }: ModelPayee) => ownerId === id && !isRemoved;
}

function confirmPayee(company: Company): Attempt | null {
  const { oracle } = company;
  const all = [...oracle.payees.values()];
  const payee = pickOne(
    company,
    all.filter(({ isReturned, isRemoved }) => isReturned && !isRemoved),
  );
  if (payee === null || oracle.person(payee.ownerId).hasLeft) return null;
  return attempt({
    by: oracle.person(payee.ownerId),
    path: `/api/payees/${payee.id}/confirm`,
    refusals: [],
    done: () => {
      payee.isReturned = false;
    },
  });
}

export const paymentMoves: readonly Move[] = [
  { weight: 8, make: payColleague },
  { weight: 6, make: moveMoney },
  { weight: 3, make: openWallet },
  { weight: 3, make: addPayee },
  { weight: 3, make: confirmPayee },
];
