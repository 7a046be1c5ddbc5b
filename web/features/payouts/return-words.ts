import type { RouteReply } from '#contract/api.ts';
import { formatCount } from '#web/lib/format.ts';

export type Returns = RouteReply<'adminGetReturns'>;
export type ReturnEntry = Returns['entries'][number];
export type Payment = NonNullable<ReturnEntry['payment']>;

/** Entries with one of these statuses, in the order of their file. */
export function byStatus(
  entries: readonly ReturnEntry[],
  ...statuses: ReturnEntry['status'][]
): ReturnEntry[] {
  return entries.filter(({ status }) => statuses.includes(status));
}

/** `08420731 0000187`. A reference of another kind stays as it is. */
export function traceWords(trace: string): string {
  if (!/^\d{15}$/.test(trace)) return trace;
  return `${trace.slice(0, 8)} ${trace.slice(8)}`;
}

/** `Cascade Federal ••5540` */
export function accountWords({ bankName, last4 }: Pick<Payment, 'bankName' | 'last4'>): string {
  return bankName === null ? `••${last4}` : `${bankName} ••${last4}`;
}

/** "1 entry", "2 entries". */
export function countedEntries(count: number): string {
  return count === 1 ? '1 entry' : `${formatCount(count)} entries`;
}
