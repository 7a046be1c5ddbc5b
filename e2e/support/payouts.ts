import { expect } from '@playwright/test';
import { dayIn } from '#contract/calendar.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { ask } from './api.ts';
import type { Company } from './company.ts';
import { apiAs } from './people.ts';

/** Settings of a company that pays by NACHA files. */
export const BANK_SETTINGS = {
  ...({ payoutFormat: 'nacha' } as const),
  payoutBankName: 'Northgate Commerce Bank',
  payoutRoutingNumber: '084207311',
  payoutAccountNumber: '00964410',
  payoutCompanyId: '1912345678',
} as const;

/** An approved withdrawal of a person whose name is nobody else's. */
export async function approvedWithdrawal(company: Company, lastName: string, amountMinor: bigint) {
  const person = await company.createEmployee({
    firstName: 'Aanya',
    lastName,
    fundedMinor: 100_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  const api = await apiAs(person);
  const { accounts } = await ask(api, 'listWallets', {});
  const { items } = await ask(api, 'listBankAccounts', {});
  const { id } = await ask(api, 'requestWithdrawal', {
    body: {
      walletId: accounts[0]?.id ?? '',
      bankAccountId: items[0]?.id ?? '',
      amount: money(amountMinor, 'USD'),
      reason: 'Payout file',
    },
  });
  await ask(await apiAs('admin'), 'adminApproveWithdrawal', { params: { id } });
  return { person, id };
}

/**
 * Settles a sent payout file: by hand, or by a line of a statement if another test has imported one. Where another test
 * imports at the same time, it is tried again.
 */
export async function settlePayoutFile(number: string): Promise<void> {
  const admin = await apiAs('admin');
  const { id, total } = await ask(admin, 'adminGetPayoutFile', { params: { number } });
  await expect(async () => {
    const { statements } = await ask(admin, 'adminGetCompanyBank', {});
    if (statements.length === 0) {
      await ask(admin, 'adminSettlePayoutFile', { params: { id }, body: {} });
    } else {
      await importLine(`ACH SETTLEMENT ${number}`, -BigInt(total.minor));
    }
    expect(await ask(admin, 'adminGetPayoutFile', { params: { number } })).toMatchObject({
      status: 'settled',
    });
  }).toPass();
}

/** Imports a statement with one line of today for the company's first account. */
export async function importLine(text: string, minor: bigint): Promise<void> {
  const admin = await apiAs('admin');
  const { accounts } = await ask(admin, 'adminGetCompanyBank', {});
  const [account] = accounts;
  const closing = BigInt(account?.closing?.amount.minor ?? 0) + minor;
  const day = dayIn('America/New_York', new Date());
  const file = [
    'Date,Description,Amount,Balance',
    `${day},${text},${decimalAmount(minor)},${decimalAmount(closing)}`,
  ].join('\n');
  const send = async <Reply>(path: string): Promise<Reply> => {
    const reply = await admin.post(`/api/admin/company-bank/accounts/${account?.id}/${path}`, {
      headers: { 'content-type': 'text/csv' },
      data: file,
    });
    expect(reply.ok(), await reply.text()).toBe(true);
    return (await reply.json()) as Reply;
  };
  const { hash } = await send<{ hash: string }>('statement-check');
  await send(`statements?fileName=payout.csv&hash=${hash}`);
}
