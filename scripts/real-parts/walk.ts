import { setTimeout as sleep } from 'node:timers/promises';
import { formatMoney } from '#contract/money.ts';
import { appCode } from '#scripts/app-code.ts';
import { Client } from './client.ts';
import { applyForIdentity } from './identity.ts';
import { openMailbox, tokenIn } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';
import { MAIL_DOMAIN } from './postfix.ts';

/** Runs a step of the walk and prints it. The outcome that the step returns in words is printed after it. */
export type Step = (name: string, work: () => Promise<string>) => Promise<void>;

export interface Around {
  /** Origin of nginx, with https. */
  origin: string;
  /** Folder of the mails that Postfix delivered. */
  delivered: string;
  /** Runs `npm run invite` for this address and returns its output. */
  printInvite: (email: string) => Promise<string>;
  /** Stops one of the two processes, calls `between`, and starts it again. */
  restartOne: (between: () => Promise<void>) => Promise<void>;
  step: Step;
}

const PASSWORD = 'Lantern-harbor-2026';
const PAY = { minor: '240000', currency: 'USD' } as const;
const PAYOUT = { minor: '100050', currency: 'USD' } as const;
const FIRST = { firstName: 'Renee', lastName: 'Abara', email: `renee@${MAIL_DOMAIN}` };
const SECOND = { firstName: 'Tomas', lastName: 'Lind', email: `tomas@${MAIL_DOMAIN}` };
const EMPLOYEE = { fullName: 'Ines Alvarado', email: `ines@${MAIL_DOMAIN}` };
const ORDER = {
  walletType: 'salary',
  department: 'all',
  amount: PAY,
  description: 'First pay',
} as const;
const BATCH_MS = 60_000;

/**
 * Walks from the first administrator to a payout that has arrived, over https, and reads each mail from where
 * Postfix delivered it.
 *
 * @throws Error at the first thing that is not as it has to be
 */
export async function walk(around: Around): Promise<void> {
  const { origin, step } = around;
  const mailbox = openMailbox(around.delivered);
  const [first, second, employee] = [new Client(origin), new Client(origin), new Client(origin)];
  await joinAdmins(around, mailbox, first, second);
  const employeeId = await joinEmployee(around, mailbox, first, employee);
  await verifyIdentity(around, mailbox, { employeeId, admin: second, employee });
  await payEmployee(around, mailbox, first, employee);
  const bankAccountId = await addBank(around, mailbox, second, employee);
  await payOut(around, mailbox, { first, second, employee, bankAccountId });
  await step('Nothing is left undelivered', async () => {
    const { items } = await first.call('adminListFailedDeliveries', { query: {} });
    expectThat(items.length === 0, `${items.length} deliveries failed`);
    return 'no failed delivery';
  });
}

async function joinAdmins(
  { step, printInvite }: Around,
  mailbox: Mailbox,
  first: Client,
  second: Client,
): Promise<void> {
  await step('First administrator signs up by the link of "npm run invite"', async () => {
    const token = tokenIn(await printInvite(FIRST.email)) ?? '';
    await first.call('acceptInvite', { body: { token, ...FIRST, password: PASSWORD } });
    await setUpTwoFactor(first);
    const { version } = await first.call('adminGetSettings', {});
    // Payouts otherwise wait for hours after a bank account is added.
    const settings = { payoutCoolingHours: 0, payrollCancelSeconds: 0 };
    await first.call('adminUpdateSettings', { body: { version, settings } });
    return FIRST.email;
  });
  await step('Second administrator signs up by a mailed invitation', async () => {
    await first.call('adminCreateInvite', { body: { email: SECOND.email } });
    const token = await mailbox.readToken(SECOND.email, 'You are invited to manage');
    const { invitedBy } = await second.call('openInvite', { body: { token } });
    await second.call('acceptInvite', { body: { token, ...SECOND, password: PASSWORD } });
    await setUpTwoFactor(second);
    return `mail read, invited by ${invitedBy}`;
  });
}

/** In production administrators do nothing before it. */
async function setUpTwoFactor(admin: Client): Promise<void> {
  const { key } = await admin.call('setUpTwoFactor', { body: { password: PASSWORD } });
  await admin.call('turnOnTwoFactor', { body: { code: appCode(key) } });
}

/** @returns id of the employee */
async function joinEmployee(
  { step }: Around,
  mailbox: Mailbox,
  admin: Client,
  employee: Client,
): Promise<string> {
  let employeeId = '';
  await step('Employee is added, and signs up by the mailed link', async () => {
    const body = { ...EMPLOYEE, department: 'data-entry' } as const;
    const added = await admin.call('adminAddEmployee', { body });
    employeeId = added.id;
    expectThat(added.isMailed, 'the link was not mailed');
    const token = await mailbox.readToken(EMPLOYEE.email, 'account');
    const { kind } = await employee.call('openPasswordLink', { body: { token } });
    expectThat(kind === 'first', `the link is for ${kind}`);
    const { session } = await employee.call('resetPassword', {
      body: { token, password: PASSWORD },
    });
    expectThat(session !== null, 'the first password did not sign in');
    return `mail read, signed in as ${added.employeeId}`;
  });
  return employeeId;
}

async function verifyIdentity(
  { step }: Around,
  mailbox: Mailbox,
  { employeeId, admin, employee }: { employeeId: string; admin: Client; employee: Client },
): Promise<void> {
  await step('Employee answers the eight steps of the identity application', async () => {
    const sizes = await applyForIdentity(employee, EMPLOYEE);
    await mailbox.read(EMPLOYEE.email, 'Application Submitted');
    return `images of ${sizes.map(inMegabytes).join(' and ')}; mail read`;
  });
  await step('Administrator approves the identity', async () => {
    const { items } = await admin.call('adminListReviewQueue', { query: {} });
    const { id } = required(
      items.find((item) => item.employee.id === employeeId),
      'application',
    );
    const { application } = await admin.call('adminGetApplication', { params: { id } });
    const { version } = application;
    await admin.call('adminApproveApplication', { params: { id }, body: { version } });
    await mailbox.read(EMPLOYEE.email, 'Identity approved');
    return 'mail read';
  });
}

async function payEmployee(
  { step, restartOne }: Around,
  mailbox: Mailbox,
  admin: Client,
  employee: Client,
): Promise<void> {
  await step('Payroll is sent, and one of the two processes is restarted during it', async () => {
    const preview = await admin.call('adminPreviewPayroll', { body: ORDER });
    const { hash, differences } = preview;
    for (const { group } of differences?.groups ?? []) {
      await admin.call('adminAcknowledgePayroll', { body: { hash, group, isAcknowledged: true } });
    }
    const { id } = await admin.call('adminSendPayroll', {
      body: { ...ORDER, previewHash: preview.hash },
    });
    await restartOne(async () => {
      // nginx has only the other process now.
      await untilPaid(admin, id);
      expectThat((await availableOf(employee)) === PAY.minor, 'the pay is not in the wallet');
    });
    await mailbox.read(EMPLOYEE.email, 'Payroll received');
    return `${formatMoney(PAY)} in the wallet; mail read`;
  });
}

async function untilPaid(admin: Client, id: string): Promise<void> {
  for (const giveUpAt = Date.now() + BATCH_MS; ; await sleep(100)) {
    const { status, paidCount, employees } = await admin.call('adminGetPayrollBatch', {
      params: { id },
    });
    if (status === 'completed' && paidCount === employees) return;
    expectThat(
      Date.now() < giveUpAt,
      `the payroll is ${status}, ${paidCount} of ${employees} paid`,
    );
  }
}

/** @returns id of the bank account */
async function addBank(
  { step }: Around,
  mailbox: Mailbox,
  admin: Client,
  employee: Client,
): Promise<string> {
  let id = '';
  await step('Employee adds a bank account, and an administrator verifies it', async () => {
    ({ id } = await employee.call('addBankAccount', {
      body: {
        bankName: 'Cascade Federal Credit Union',
        accountType: 'checking',
        accountNumber: '4400128865',
        routingNumber: '084207311',
        accountHolderName: EMPLOYEE.fullName,
      },
    }));
    await mailbox.read(EMPLOYEE.email, 'Bank account added');
    await admin.call('adminVerifyBankAccount', { params: { id }, body: {} });
    await mailbox.read(EMPLOYEE.email, 'Bank Account Verified');
    return 'two mails read';
  });
  return id;
}

interface Payout {
  first: Client;
  second: Client;
  employee: Client;
  bankAccountId: string;
}

async function payOut(
  { step }: Around,
  mailbox: Mailbox,
  { first, second, employee, bankAccountId }: Payout,
): Promise<void> {
  let id = '';
  await step('Employee asks for a payout', async () => {
    const { accounts } = await employee.call('listWallets', {});
    const { id: walletId } = required(accounts[0], 'wallet');
    const asked = await employee.call('requestWithdrawal', {
      body: { walletId, bankAccountId, amount: PAYOUT, urgency: 'medium', reason: 'Rent' },
    });
    id = asked.id;
    await mailbox.read(EMPLOYEE.email, 'Withdrawal Submitted');
    return `${asked.reference}; mail read`;
  });
  await step('Administrators approve it, send it and book it as paid', async () => {
    await first.call('adminApproveWithdrawal', { params: { id } });
    await mailbox.read(EMPLOYEE.email, 'Withdrawal Approved');
    await first.call('adminStartWithdrawal', { params: { id } });
    await mailbox.read(EMPLOYEE.email, 'Withdrawal Processing');
    const body = { bankReference: 'ACH-1' };
    const { status } = await second.call('adminCompleteWithdrawal', { params: { id }, body });
    expectThat(status === 'completed', `the withdrawal is ${status}`);
    await mailbox.read(EMPLOYEE.email, 'Withdrawal Completed');
    const left = (BigInt(PAY.minor) - BigInt(PAYOUT.minor)).toString();
    expectThat((await availableOf(employee)) === left, 'another amount is left in the wallet');
    return `${formatMoney({ ...PAY, minor: left })} left in the wallet; three mails read`;
  });
}

async function availableOf(employee: Client): Promise<string | undefined> {
  const { accounts } = await employee.call('listWallets', {});
  return accounts[0]?.available.minor;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function required<Thing>(thing: Thing | undefined, name: string): Thing {
  if (thing === undefined) throw new Error(`There is no ${name}`);
  return thing;
}

function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(`Not as expected: ${otherwise}`);
}
