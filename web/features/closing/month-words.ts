import type { RouteReply } from '#contract/api.ts';
import { monthName } from '#contract/closing.ts';
import { counted } from '#web/lib/format.ts';
import type { StatusName } from '#web/ui/status-table.ts';

export type Month = RouteReply<'adminGetMonth'>;
export type ListedMonth = RouteReply<'adminListMonths'>['months'][number];

/** `2026-11` as "November". */
export function shortMonth(month: string): string {
  return monthName(month).split(' ')[0] ?? '';
}

/** Look and word of a month's status: "2 things to do". */
export function monthStatus(
  status: Month['status'],
  toDo: number | null,
): { status: StatusName; label?: string } {
  if (status === 'waits') return { status: 'open', label: 'Not closed' };
  if (status !== 'blocked') return { status };
  return { status: 'pending', label: toDo === null ? 'To do' : `${counted(toDo, 'thing')} to do` };
}

/** Number of tasks that are not done. */
export function tasksOf({ checks }: Month): number {
  return checks.filter(({ isDone }) => !isDone).length;
}
