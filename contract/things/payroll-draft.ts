import { PAYROLL_DRAFT_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Payroll that is being prepared: it keeps what was ordered, never who is really paid. */
export const payrollDraft = defineThing({
  name: 'payroll_draft',
  isOfCompany: true,
  path: 'payroll/drafts',
  statuses: PAYROLL_DRAFT_STATUSES,
  topic: 'payroll',
  movesMoney: false,
  refusals: { notFound: 'payroll_draft_not_found', wrongStatus: 'payroll_draft_not_open' },
  acts: {
    create: {
      by: 'anyAdmin',
      from: [],
      to: 'open',
      past: 'created',
      operation: 'adminCreatePayrollDraft',
      hasForm: true,
    },
    /** Makes a draft of a payroll that was stopped or declined. */
    return: { by: 'anyAdmin', from: [], to: 'open', past: 'returned', hasForm: true },
    /** Prepares the payroll of a payday from usual pay. */
    prepare: {
      by: 'system',
      from: [],
      to: 'open',
      past: 'prepared',
      toAdmins: {
        kind: 'payroll-prepared',
        message:
          '{name} is prepared from usual pay: {employees}, {amount}. Review it before you send it.',
      },
    },
    /** Changes what is ordered. Nothing records it: a draft pays nobody, and what is sent is recorded. */
    save: {
      by: 'anyAdmin',
      from: ['open'],
      past: 'saved',
      operation: 'adminSavePayrollDraft',
      hasForm: true,
      isUnrecorded: true,
    },
    /** Puts the amounts of a file in place of its own. */
    fillIn: {
      by: 'anyAdmin',
      from: ['open'],
      past: 'filled_in',
      words: 'Amounts filled in from a file',
      operation: 'adminFillInPayrollFile',
      hasForm: true,
    },
    send: {
      by: 'anyAdmin',
      from: ['open'],
      to: 'sent',
      past: 'sent',
      operation: 'adminSendPayrollDraft',
      hasForm: true,
    },
    discard: {
      by: 'anyAdmin',
      from: ['open'],
      to: 'discarded',
      past: 'discarded',
      route: { summary: 'Discard a draft: it is no longer listed', scope: 'payroll:write' },
      offer: {
        label: 'Discard',
        kind: 'danger',
        title: 'Discard this draft?',
        pending: 'Discarding',
        done: 'Draft Discarded',
      },
    },
  },
});
