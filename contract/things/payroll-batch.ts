import { PAYROLL_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Completion, of a payroll and of a funding. */
const completes = {
  by: 'system',
  from: ['processing'],
  to: 'completed',
  past: 'completed',
  isSent: true,
} as const;

/** Failing, of a payroll and of a funding. */
const fails = {
  by: 'system',
  from: ['processing'],
  to: 'failed',
  past: 'failed',
  did: null,
  isSent: true,
} as const;

const SENT = { by: 'anyAdmin', from: [], to: 'pending', past: 'sent', isSent: true } as const;

/** One payment of many people, or a funding of one. Its owner is the administrator who sent it. */
export const payrollBatch = defineThing({
  name: 'payroll_batch',
  event: 'payroll',
  path: 'payroll/batches',
  isOfCompany: true,
  statuses: PAYROLL_STATUSES,
  topic: 'payroll',
  movesMoney: false,
  refusals: { notFound: 'payroll_not_found', wrongStatus: 'payroll_wrong_status' },
  acts: {
    send: {
      ...SENT,
      operation: 'adminSendPayroll',
      hasForm: true,
    },
    /** Sends a batch that a second administrator has to approve. */
    sendToApprove: {
      ...SENT,
      toAdmins: {
        kind: 'payroll-to-approve',
        message: '{actor} sent a payroll, which waits for a second administrator.',
      },
    },
    /** Pays one employee immediately. */
    fund: {
      ...SENT,
      to: 'processing',
      operation: 'adminFundEmployee',
      hasForm: true,
    },
    fundToApprove: {
      ...SENT,
      toAdmins: {
        kind: 'funding-to-approve',
        message: '{actor} funds {employee}, which waits for a second administrator.',
      },
    },
    approve: {
      by: 'anyAdmin',
      from: ['pending'],
      past: 'approved',
      route: {
        confirms: 'recent',
        summary: 'Approve a payroll that another admin sent, where the company asks for two people',
        idempotency: 'required',
        errors: ['payroll_line_limit', 'payroll_batch_limit', 'differences_not_acknowledged'],
      },
      isSent: true,
      secondPerson: [
        {
          rule: 'payroll',
          after: ['payroll_batch.send', 'payroll_draft.save'],
          did: 'you sent this payroll, or were the last to change its amounts',
        },
      ],
      offer: {
        label: 'Approve',
        kind: 'money',
        title: 'Approve this payroll?',
        consequence:
          'The employees are paid after you approve, once the time to stop the payroll is over.',
        pending: 'Approving',
        done: 'Payroll Approved',
      },
    },
    /** Ends a batch that waits for approval. Its sender may take it back in the same way. */
    decline: {
      by: 'anyAdmin',
      from: ['pending'],
      to: 'draft',
      past: 'declined',
      route: { summary: 'Decline a payroll that waits for a second admin: it pays nobody' },
      isSent: true,
      toOwner: {
        kind: 'payroll-declined',
        title: 'Payroll declined',
        message: '{actor} declined {batch}. Nobody was paid. Reason: {reason}',
      },
      offer: {
        label: 'Decline',
        kind: 'outline',
        title: 'Decline payroll',
        consequence:
          'Nobody is paid. A payroll is kept as a draft that can be changed and sent again.',
        reason: {
          emptyHint: 'Enter a reason to decline.',
          keep: 'Keep Payroll',
          placeholder: 'The administrator who sent it reads this reason.',
        },
        pending: 'Declining',
        done: 'Payroll Declined',
      },
    },
    /** Ends a batch whose window is still open. */
    stop: {
      by: 'anyAdmin',
      from: ['pending'],
      to: 'draft',
      past: 'stopped',
      route: {
        summary: 'Stop a confirmed payroll before it is sent: it becomes a draft and pays nobody',
        scope: 'payroll:write',
      },
      refusal: {
        processing: 'payroll_already_sent',
        completed: 'payroll_already_sent',
        failed: 'payroll_already_sent',
      },
      isSent: true,
      toOwner: {
        kind: 'payroll-stopped',
        title: 'Payroll stopped',
        message: '{actor} stopped {batch}. Nobody was paid.',
      },
      offer: {
        label: 'Stop Payroll',
        kind: 'solid',
        title: 'Stop this payroll?',
        pending: 'Stopping',
        done: 'Payroll Stopped',
        consequence: 'It becomes a draft that can be changed and sent again. Nobody is paid.',
      },
    },
    /** Takes a draft off the lists. */
    discard: {
      by: 'anyAdmin',
      from: ['draft'],
      past: 'discarded',
      route: {
        summary: 'Discard a draft: a payroll that was stopped or declined is no longer listed',
      },
      offer: {
        label: 'Discard Draft',
        kind: 'danger',
        title: 'Discard this draft?',
        pending: 'Discarding',
        done: 'Draft Discarded',
      },
    },
    /** Begins to pay, when the window is over: `sent` says when that is. */
    start: {
      by: 'system',
      from: ['pending'],
      to: 'processing',
      past: 'started',
      isUnrecorded: true,
    },
    complete: {
      ...completes,
      toOwner: {
        kind: 'payroll-processed',
        title: 'Payroll Processed Successfully',
        message: [
          '{total} paid to {people} by {batch}. {unpaid} could not be paid; you can retry.',
          '{total} paid to {people} by {batch}.',
        ],
      },
    },
    completeFunding: {
      ...completes,
      toOwner: {
        kind: 'funding-completed',
        title: 'Funding completed',
        message: '{total} paid by {batch}.',
      },
    },
    /** Ends a batch that could pay nobody. */
    fail: {
      ...fails,
      toOwner: {
        kind: 'payroll-failed',
        title: 'Payroll Processing Failed',
        message: 'There was an error processing the payroll. Nobody was paid by {batch}.',
      },
    },
    failFunding: {
      ...fails,
      toOwner: {
        kind: 'funding-failed',
        message: '{batch} could not be paid. You can retry it in the history of payrolls.',
      },
    },
    /** Tries one failed line again. */
    retryLine: {
      by: 'anyAdmin',
      from: ['completed', 'failed'],
      to: 'processing',
      past: 'retried',
      operation: 'adminRetryPayrollLine',
      hasForm: true,
    },
    /** Tries the failed lines again. Those that were paid stay as they are. */
    retryFailed: {
      by: 'anyAdmin',
      from: ['completed', 'failed'],
      to: 'processing',
      past: 'retried',
      route: {
        confirms: 'recent',
        summary: 'Try the failed lines of a batch again',
        verb: 'retry',
        errors: ['payroll_all_paid_otherwise'],
        idempotency: 'required',
      },
    },
  },
});
