import { money } from '#contract/money.ts';
import { signLink } from '#server/modules/kyc/index.ts';
import type { TestApp } from './app.ts';
import { outsidePayee } from './factories/bills.ts';
import { offerDeposits } from './factories/deposits.ts';
import { picture } from './factories/images.ts';
import { completeApplication } from './factories/kyc.ts';
import { bankDetails, createPayee, fundedWallet } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createAdmin, createEmployee } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { AMOUNT, ownedThings } from './ownership-things.ts';
import type { SignedIn, Someone } from './ownership-things.ts';

/** Parts of a request other than the id that it is about. */
export interface RequestParts {
  /** In the path, where the id that is asked about stands elsewhere. */
  pathId?: string;
  query?: Record<string, string>;
  body?: object;
  bytes?: Uint8Array;
}

export interface OwnershipCase {
  /** Makes a thing of the first of the pair, and answers its id. */
  make(holder: Someone): Promise<string> | string;
  /** Body sent with the id; a thing in it is that of the asking person. */
  parts?(who: Someone, id: string, holder: Someone): Promise<RequestParts> | RequestParts;
  /** True if it takes people whose application is not submitted yet. */
  isOfApplicants?: true;
}

interface Owners {
  /** Owner of the thing, and the person who asks for it. Both could do it with a thing of their own. */
  payees: readonly [SignedIn<Payee>, SignedIn<Payee>];
  /** One more person who has completed an application and not submitted it. */
  applicant(): Promise<SignedIn<TestPerson>>;
  /** Cases by operation and field. */
  cases: Readonly<Record<string, OwnershipCase>>;
}

const PAYEE_CHANGE = {
  name: 'Harbor Fiber',
  kind: 'business',
  routingNumber: '021000021',
  accountType: 'checking',
  customerNumber: '',
};

/** Two employees of a company, and a thing of the first for each operation that takes an id. */
export async function ownershipCases(purser: TestApp): Promise<Owners> {
  const { db, services } = purser;
  await offerDeposits(db, services);
  const { by: admin } = await createAdmin(db, services);
  const payee = async (): Promise<SignedIn<Payee>> => {
    const person = await createPayee(db, services, { admin });
    return { ...person, cookie: await purser.cookieOf(person.by.actor) };
  };
  const payees = [await payee(), await payee()] as const;
  const [owner] = payees;
  const colleagueId = (await payee()).by.actor.id;
  const payeeOf = new Map<string, string>();
  const things = ownedThings({ purser, admin, owner, colleagueId, payeeOf });
  const billIdOf = new Map<string, string>();
  const savingsOf = new Map<string, string>();
  // Before any other bill is scheduled: they are taken, which takes all of the day.
  const returnedOf = new Map<string, Returned>();
  for (const who of payees) {
    const bills = [await things.returnedBill(who), await things.returnedBill(who)] as const;
    returnedOf.set(who.by.actor.id, { bills, withdrawalId: await things.returnedWithdrawal(who) });
  }
  for (const who of payees) {
    const { id } = who.by.actor;
    savingsOf.set(id, (await fundedWallet(db, services, who.by, 0n, 'savings')).id);
    payeeOf.set(id, await outsidePayee(db, services, who.by));
    billIdOf.set(id, await things.scheduledBill(who));
  }
  return {
    payees,
    applicant: async () => {
      const person = await createEmployee(db, services);
      await completeApplication(db, services, person.by);
      return { ...person, cookie: await purser.cookieOf(person) };
    },
    cases: casesOf({ purser, owner, colleagueId, things, billIdOf, savingsOf, returnedOf }),
  };
}

interface Company {
  purser: TestApp;
  owner: SignedIn<Payee>;
  colleagueId: string;
  things: ReturnType<typeof ownedThings>;
  /** A bill of each person. */
  billIdOf: Map<string, string>;
  /** Ids of the accounts for savings, by person. */
  savingsOf: ReadonlyMap<string, string>;
  returnedOf: ReadonlyMap<string, Returned>;
}

/** Requests of a person that the bank sent back. */
interface Returned {
  withdrawalId: string;
  bills: readonly { id: string; payeeId: string }[];
}

function casesOf(company: Company): Owners['cases'] {
  const { purser, owner, colleagueId, things, billIdOf, savingsOf, returnedOf } = company;
  const returned = ({ by }: Someone, at = 0) => {
    const { withdrawalId = '', bills = [] } = returnedOf.get(by.actor.id) ?? {};
    const { id: billId = '', payeeId = '' } = bills[at] ?? {};
    return { withdrawalId, billId, payeeId };
  };
  const resentBill = { change: null, payOn: things.billOf(owner).payOn };
  const savings = ({ by }: Someone) => savingsOf.get(by.actor.id) ?? '';
  return {
    'revokeSession id': { make: things.session },
    'renamePasskey id': { make: things.passkey, parts: () => ({ body: { name: 'My phone' } }) },
    'removePasskey id': { make: things.passkey },
    'markNotificationRead id': { make: () => things.newest('notification') },
    'deleteNotification id': { make: () => things.newest('notification') },
    'restoreNotification id': { make: () => things.newest('notification') },
    'revealWallet id': { make: () => owner.wallet.id },
    'getHistoryEvent id': { make: async () => `${await things.pending()}.salary` },
    'listQuestions id': { make: async () => `${await things.pending()}.salary` },
    'askQuestion id': {
      make: async () => `${await things.pending()}.salary`,
      parts: () => ({ body: { question: 'Why is it lower?' } }),
    },
    'getQuestion id': { make: things.question },
    'proveEvent id': { make: things.paidEvent },
    'getAccountDocument id': { make: things.payslip },
    'downloadAccountDocument id': { make: things.payslip },
    'updateBankAccount id': { make: things.bankAccount, parts: () => ({ body: bankDetails() }) },
    'enterMicroDeposits id': {
      make: things.depositedAccount,
      parts: () => ({ body: { first: money(12n, 'USD'), second: money(34n, 'USD') } }),
    },
    'removeBankAccount id': { make: things.bankAccount },
    'revealBankAccount id': { make: things.bankAccount },
    'getWithdrawal id': { make: things.pending },
    'cancelWithdrawal id': { make: things.pending },
    'requestWithdrawal walletId': {
      make: () => owner.wallet.id,
      parts: (who) => ({ body: { bankAccountId: (who as Payee).bank.id, amount: AMOUNT } }),
    },
    'requestWithdrawal bankAccountId': {
      make: () => owner.bank.id,
      parts: (who) => ({ body: { walletId: (who as Payee).wallet.id, amount: AMOUNT } }),
    },
    'resendWithdrawal id': {
      make: () => things.returnedWithdrawal(),
      parts: (who) => ({ body: { bankAccountId: (who as Payee).bank.id } }),
    },
    'resendWithdrawal bankAccountId': {
      make: () => owner.bank.id,
      parts: (who) => ({ pathId: returned(who).withdrawalId }),
    },
    'getDeposit id': { make: things.deposit },
    'requestDeposit walletId': {
      make: () => owner.wallet.id,
      parts: () => ({ body: { method: 'mobile_check', amount: money(10_000n, 'USD') } }),
    },
    'cancelDeposit id': { make: things.deposit },
    'uploadCheckImage id': {
      make: things.deposit,
      parts: async () => ({ query: { fileName: 'front.png' }, bytes: await picture('png') }),
    },
    'getCheckImage id': { make: things.checkImage },
    'getAvatar id': { make: things.avatar },
    'saveMyApplication id': {
      isOfApplicants: true,
      make: things.application,
      parts: async (_who, _id, holder) => ({
        body: { ...(await things.versionOf(holder)), answers: { city: 'Tacoma' } },
      }),
    },
    'submitMyApplication id': {
      isOfApplicants: true,
      make: things.application,
      parts: async (_who, _id, holder) => ({ body: await things.versionOf(holder) }),
    },
    'createDocumentLink id': { isOfApplicants: true, make: things.document },
    'payPerson walletId': {
      make: () => owner.wallet.id,
      parts: () => ({ body: { recipientId: colleagueId, amount: AMOUNT } }),
    },
    'moveMoney fromWalletId': {
      make: () => owner.wallet.id,
      parts: (who) => ({ body: { toWalletId: savings(who), amount: AMOUNT } }),
    },
    'moveMoney toWalletId': {
      make: () => savings(owner),
      parts: (who) => ({ body: { fromWalletId: (who as Payee).wallet.id, amount: AMOUNT } }),
    },
    'acceptRecovery id': { make: things.recovery },
    'declineRecovery id': { make: things.recovery },
    'removePayee id': { make: things.savedPayee },
    'confirmPayee id': { make: things.payeeOutside },
    'updatePayee id': { make: things.payeeOutside, parts: () => ({ body: PAYEE_CHANGE }) },
    'cancelBill id': { make: () => things.scheduledBill() },
    'changeBill id': {
      make: () => things.scheduledBill(),
      parts: (who) => ({ body: things.billOf(who as Payee) }),
    },
    'changeBill walletId': {
      make: () => owner.wallet.id,
      parts: (who) => ({
        pathId: billIdOf.get(who.by.actor.id) ?? '',
        body: things.billOf(who as Payee),
      }),
    },
    'changeBill payeeId': {
      make: async () => {
        // Whoever changes a bill has another one then.
        billIdOf.set(owner.by.actor.id, await things.scheduledBill());
        return things.payeeOutside();
      },
      parts: (who) => ({
        pathId: billIdOf.get(who.by.actor.id) ?? '',
        body: things.billOf(who as Payee),
      }),
    },
    'resendBill id': {
      make: () => returned(owner).billId,
      parts: (who) => ({ body: { ...resentBill, payeeId: returned(who).payeeId } }),
    },
    'resendBill payeeId': {
      make: () => returned(owner, 1).payeeId,
      parts: (who) => ({ pathId: returned(who, 1).billId, body: resentBill }),
    },
    'createStandingBill walletId': {
      make: () => owner.wallet.id,
      parts: (who) => ({ body: things.standingOf(who as Payee) }),
    },
    'createStandingBill payeeId': {
      make: things.payeeOutside,
      parts: (who) => ({ body: things.standingOf(who as Payee) }),
    },
    'stopStandingBill id': { make: () => things.standingBill() },
    'changeAutomaticTransfers id': {
      make: things.automaticTransfers,
      parts: async () => ({ body: { version: await things.transferVersion(), rules: [] } }),
    },
    'pauseAutomaticTransfers id': { make: things.automaticTransfers },
    'resumeAutomaticTransfers id': { make: things.automaticTransfers },
    'skipAutomaticTransfers id': {
      make: things.automaticTransfers,
      parts: () => ({ body: { isSkipped: true } }),
    },
    'scheduleBill walletId': {
      make: () => owner.wallet.id,
      parts: (who) => ({ body: things.billOf(who as Payee) }),
    },
    'scheduleBill payeeId': {
      make: things.payeeOutside,
      parts: (who) => ({ body: things.billOf(who as Payee) }),
    },
    // The link of the one whose document it is, in other hands.
    'getDocument id': {
      isOfApplicants: true,
      make: things.document,
      parts: (_who, documentId, { by }) => {
        const { url } = signLink(purser.services, { documentId, viewerId: by.actor.id });
        return { query: Object.fromEntries(new URL(url, 'http://localhost').searchParams) };
      },
    },
  };
}
