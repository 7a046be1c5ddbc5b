import { setTimeout as sleep } from 'node:timers/promises';
import { getPayrollBatch, previewPayroll, requestWithdrawal, sendPayroll } from './http.ts';
import type { Company } from './people.ts';

const POLL_MS = 100;
/** Pause between two withdrawals of the other person. */
const WITHDRAWAL_PAUSE_MS = 50;

/**
 * Confirms a payroll for everybody over HTTP and waits until it is completed; returns milliseconds.
 */
export async function runPayroll(url: string, company: Company): Promise<number> {
  const preview = await previewPayroll(url, company);
  const startedAt = performance.now();
  const { id } = await sendPayroll(url, company, preview);
  await untilPaid(url, company, id);
  return performance.now() - startedAt;
}

/** Waits until everybody of a payroll is paid. @throws when somebody could not be */
export async function untilPaid(
  url: string,
  company: Pick<Company, 'admin'>,
  id: string,
): Promise<void> {
  for (;;) {
    const { status, failedCount } = await getPayrollBatch(url, company, id);
    if (status === 'completed' && failedCount === 0) return;
    if (status !== 'processing') throw new Error(`The payroll is ${status}`);
    await sleep(POLL_MS);
  }
}

/**
 * Withdraws money for one person after another while `work` runs; returns the duration of each
 * request in milliseconds. The payroll pays the same people, so some requests wait for its locks.
 */
export async function withdrawDuring(
  url: string,
  company: Company,
  work: Promise<unknown>,
): Promise<number[]> {
  const progress = { isOver: false };
  const over = work.finally(() => {
    progress.isOver = true;
  });
  const tookMs: number[] = [];
  for (let turn = 0; !progress.isOver; turn += 1) {
    const payee = company.payees[turn % company.payees.length];
    if (payee === undefined) throw new Error('nobody can withdraw');
    const startedAt = performance.now();
    await requestWithdrawal(url, payee);
    tookMs.push(performance.now() - startedAt);
    await sleep(WITHDRAWAL_PAUSE_MS);
  }
  await over;
  return tookMs;
}
