import { randomUUID } from 'node:crypto';
import type { PayrollBatch, PayrollPreview } from '#contract/api.ts';
import type { Company, Payee } from './people.ts';

export const AMOUNT_MINOR = 192_000n;

const ORDER = {
  walletType: 'salary',
  department: 'all',
  amount: { minor: AMOUNT_MINOR.toString(), currency: 'USD' },
  description: 'Biweekly pay',
};

/** Headers that a browser sends with a request that changes data. */
export function unsafeHeaders(url: string, cookie: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    origin: url,
    cookie,
  };
}

/** The minimum withdrawal, so that wallets outlast the bench. */
export function withdrawalBody({ walletId, bankAccountId }: Payee): string {
  return JSON.stringify({ walletId, bankAccountId, amount: { minor: '1', currency: 'USD' } });
}

/** @throws when the reply is not a success, because the bench would measure nothing */
export async function ask<T>(
  url: string,
  path: string,
  cookie: string,
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const response = await fetch(url + path, {
    headers: unsafeHeaders(url, cookie),
    method,
    ...(body !== undefined && { body }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export function previewPayroll(url: string, { admin }: Company): Promise<PayrollPreview> {
  return ask(url, '/api/admin/payroll/preview', admin.cookie, JSON.stringify(ORDER));
}

export async function sendPayroll(
  url: string,
  { admin }: Pick<Company, 'admin'>,
  preview: PayrollPreview,
): Promise<PayrollBatch> {
  await acknowledgeAll(url, { admin }, preview);
  const { hash, alreadyPaid } = preview;
  const body = JSON.stringify({
    ...ORDER,
    previewHash: hash,
    alreadyPaidHash: alreadyPaid?.hash,
  });
  return ask(url, '/api/admin/payroll/batches', admin.cookie, body);
}

/** Acknowledges each group of differences of a preview. */
export async function acknowledgeAll(
  url: string,
  { admin }: Pick<Company, 'admin'>,
  { hash, differences }: PayrollPreview,
): Promise<void> {
  for (const { group } of differences?.groups ?? []) {
    const acknowledged = JSON.stringify({ hash, group, isAcknowledged: true });
    await ask(url, '/api/admin/payroll/acknowledgements', admin.cookie, acknowledged, 'PUT');
  }
}

export function getPayrollBatch(
  url: string,
  { admin }: Pick<Company, 'admin'>,
  id: string,
): Promise<PayrollBatch> {
  return ask(url, `/api/admin/payroll/batches/${id}`, admin.cookie);
}

export function requestWithdrawal(url: string, payee: Payee): Promise<unknown> {
  return ask(url, '/api/withdrawals', payee.cookie, withdrawalBody(payee));
}
