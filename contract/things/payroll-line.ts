import { PAYROLL_LINE_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Payroll decides and pays its lines by thousands, and is recorded as a whole. */
const BY_PAYROLL = { by: 'system', isUnrecorded: true } as const;

const REVERSED = {
  by: 'admin',
  from: ['processed'],
  operation: 'adminReversePayrollLine',
  hasForm: true,
  isSent: true,
  // From the amount on that takes two people to pay, its sender does not take it back.
  secondPerson: [{ rule: 'payroll', after: ['payroll_batch.send'], did: 'you sent this payroll' }],
} as const;

const NOTICE = {
  title: 'Payroll taken back',
  message: '{amount} of {pay} was taken back from your {wallet}. {message}',
} as const;

/** One employee's payment of a payroll or an individual funding. */
export const payrollLine = defineThing({
  name: 'payroll_line',
  called: 'this payment',
  path: 'payroll/lines',
  statuses: PAYROLL_LINE_STATUSES,
  topic: 'payroll',
  movesMoney: true,
  live: { owner: ['wallets'], admins: ['payroll'] },
  refusals: { notFound: 'payroll_line_not_found', wrongStatus: 'payroll_line_wrong_status' },
  acts: {
    prepare: { ...BY_PAYROLL, from: [], to: 'draft', past: 'prepared' },
    skip: { ...BY_PAYROLL, from: [], to: 'skipped', past: 'skipped' },
    pay: { ...BY_PAYROLL, from: ['draft'], to: 'processed', past: 'paid' },
    fail: { ...BY_PAYROLL, from: ['draft'], to: 'failed', past: 'failed' },
    retry: { ...BY_PAYROLL, from: ['failed'], to: 'draft', past: 'retried' },
    /** Takes back what is left of a line. */
    reverse: {
      ...REVERSED,
      to: 'reversed',
      past: 'reversed',
      did: 'took back',
      toOwner: { ...NOTICE, kind: 'payroll-line-reversed' },
    },
    /** Takes back a part of a line, because the wallet has no more. */
    reversePart: {
      ...REVERSED,
      past: 'reduced',
      did: 'took back a part of',
      toOwner: { ...NOTICE, kind: 'payroll-line-reduced' },
    },
  },
});
