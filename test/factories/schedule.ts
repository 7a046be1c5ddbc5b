import type { PayrollSchedule } from '#server/lib/calendar.ts';

/** A payroll schedule with the given parts; the others are those of a company that set none. */
export function payrollSchedule(
  schedule: Partial<PayrollSchedule> & Pick<PayrollSchedule, 'frequency'>,
): PayrollSchedule {
  return { day: null, days: '15_last', firstPayday: null, ...schedule };
}
