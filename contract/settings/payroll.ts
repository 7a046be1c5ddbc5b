import { PAYROLL_CANCEL_SECONDS, PAYROLL_CHANGE_PERCENT } from '../payroll.ts';
import { RECOVERY_PERCENT } from '../recovery.ts';
import type { Setting } from '../setting-kinds.ts';

/** Settings of the tab Payroll: its schedule, and limits of sending. */
export const PAYROLL_SETTINGS = {
  payrollFrequency: {
    section: 'schedule',
    kind: 'choice',
    options: {
      none: 'Not set',
      weekly: 'Weekly',
      biweekly: 'Biweekly',
      semimonthly: 'Twice a month',
      monthly: 'Monthly',
    },
    label: 'Payroll frequency',
    hint: 'Without a first payday, no payday is shown.',
    live: ['payroll'],
  },
  payrollFirstPayday: {
    section: 'schedule',
    kind: 'day',
    label: 'First payday',
    hint: 'Later paydays follow it every one or two weeks. Weekly payroll without a first payday is due on Fridays.',
    live: ['payroll'],
  },
  payrollDays: {
    section: 'schedule',
    kind: 'choice',
    options: { '1_15': '1st and 15th', '15_last': '15th and last day' },
    label: 'Payroll days',
    hint: 'For payroll twice a month.',
    live: ['payroll'],
  },
  payrollDay: {
    section: 'schedule',
    kind: 'choice',
    options: { '1': '1st', '15': '15th', last: 'Last day' },
    label: 'Payroll day',
    hint: 'For monthly payroll.',
    live: ['payroll'],
  },
  paydayMoves: {
    section: 'schedule',
    kind: 'choice',
    options: { before: 'The banking day before', after: 'The banking day after' },
    label: 'On a weekend or bank holiday',
    hint: 'Payroll is due then.',
    live: ['payroll'],
  },
  payrollCancelSeconds: {
    section: 'sending',
    kind: 'number',
    rule: PAYROLL_CANCEL_SECONDS,
    unit: 'seconds',
    label: 'Cancel window',
    hint: 'Delay before sending. You can stop a payroll until then. 0 sends it immediately.',
  },
  payrollLineLimit: {
    section: 'sending',
    kind: 'amount',
    loosens: 'more',
    label: 'Limit for each employee',
    hint: 'A payroll that pays one employee more than this is refused.',
  },
  payrollBatchLimit: {
    section: 'sending',
    kind: 'amount',
    loosens: 'more',
    label: 'Limit for the total',
    hint: 'A payroll with a higher total is refused.',
  },
  payrollChangePercent: {
    section: 'sending',
    kind: 'number',
    rule: PAYROLL_CHANGE_PERCENT,
    unit: 'percent',
    loosens: 'more',
    label: 'Change of pay to acknowledge',
    hint: 'The sender acknowledges each change since the last payroll that is larger than this.',
    live: ['payroll'],
  },
  recoveryPercent: {
    section: 'sending',
    kind: 'number',
    rule: RECOVERY_PERCENT,
    unit: 'percent',
    loosens: 'more',
    label: 'Largest part of a payment to recover',
    hint: 'Recoveries take at most this part of a payment, unless the employee accepts more.',
    live: ['payroll'],
  },
} as const satisfies Record<string, Setting>;
