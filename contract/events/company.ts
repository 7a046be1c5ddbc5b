import type { EventSpec } from './event.ts';

const SETUP = { about: 'company_settings', live: { admins: ['settings'] } } as const;
const PROPOSAL = { about: 'security_proposal', live: { admins: ['settings'] } } as const;
const ADMIN_PROPOSAL = { ...PROPOSAL, live: { admins: ['settings', 'people'] } } as const;
const REOPENING = { about: 'security_proposal', live: { admins: ['closing'] } } as const;
const MONTH = { about: 'month_closing', live: { admins: ['closing'] } } as const;
/** Notice of a proposal that another than its proposer discarded. */
const DISCARDED = {
  toAdmins: {
    kind: 'proposal-discarded',
    message: '{actor} discarded what {proposer} proposed: to {what}. Nothing was changed.',
  },
} as const;
const WEBHOOK = { about: 'webhook', live: { admins: ['deliveries'] } } as const;
const DELIVERY = { about: 'delivery', live: { admins: ['deliveries'] } } as const;
const IMPORT = { about: 'employee_import', live: { admins: ['imports'] } } as const;
const USUAL_PAY = { about: 'usual_pay_import', live: { admins: ['imports'] } } as const;
const REVIEW = { about: 'kyc_review', live: { admins: ['kyc'] } } as const;
const QUESTION = {
  about: 'question',
  live: { owner: ['questions'], admins: ['questions'] },
} as const;

/** Events of the company: its settings, its systems, and the work of administrators. */
export const COMPANY_EVENTS = {
  'setup.step_done': { ...SETUP, words: 'Step of the set-up done' },
  'setup.step_skipped': { ...SETUP, words: 'Step of the set-up skipped' },
  'setup.finished': { ...SETUP, words: 'Set-up finished' },
  'setup.dismissed': { ...SETUP, words: 'Set-up dismissed' },
  'settings.proposed': {
    ...PROPOSAL,
    words: 'Proposed a change of settings',
    toAdmins: {
      kind: 'security-change-waits',
      message:
        '{actor} proposes to change a rule that protects money: {labels}. Another administrator must accept it.',
    },
  },
  'settings.accepted': { ...PROPOSAL, words: 'Accepted the proposed change' },
  'settings.discarded': { ...PROPOSAL, words: 'Discarded the proposed change' },
  'settings.discarded_by_another': { ...PROPOSAL, ...DISCARDED, event: 'settings.discarded' },
  'admin_change.proposed': {
    ...ADMIN_PROPOSAL,
    words: 'Proposed an act on an administrator',
    toAdmins: {
      kind: 'admin-change-proposed',
      message: '{actor} proposes to {act}. Reason: {reason}. {next}',
    },
  },
  'admin_change.accepted': { ...ADMIN_PROPOSAL, words: 'Accepted an act on an administrator' },
  'admin_change.discarded': { ...ADMIN_PROPOSAL, words: 'Discarded an act on an administrator' },
  'admin_change.discarded_by_another': {
    ...ADMIN_PROPOSAL,
    ...DISCARDED,
    event: 'admin_change.discarded',
  },

  'month_reopening.proposed': {
    ...REOPENING,
    words: 'Proposed to open a closed month again',
    toAdmins: {
      kind: 'month-reopening-proposed',
      message: '{actor} proposes to open {month} again. Reason: {reason}. {next}',
    },
  },
  'month_reopening.accepted': { ...REOPENING, words: 'Accepted to open a closed month again' },
  'month_reopening.discarded': { ...REOPENING, words: 'Discarded to open a closed month again' },
  'month_reopening.discarded_by_another': {
    ...REOPENING,
    ...DISCARDED,
    event: 'month_reopening.discarded',
  },
  'month.closed': { ...MONTH, words: 'Month closed', isTimed: true },
  'month.reopened': {
    ...MONTH,
    words: 'Month opened again',
    isTimed: true,
    toAdmins: {
      kind: 'month-reopened',
      message: '{actor} opened {month} again, as {proposer} proposed. Reason: {reason}',
    },
  },
  'journal.exported': { ...MONTH, words: 'Journal of a closed month exported' },
  'chart_account.mapped': {
    about: 'chart_account',
    live: { admins: ['closing'] },
    words: 'Account of the journal mapped',
  },

  'second_person.waits': {
    about: 'second_person',
    isTimed: true,
    words: 'Is nobody’s second person for now',
  },

  'webhook.created': {
    ...WEBHOOK,
    words: 'Webhook made',
    toAdmins: {
      kind: 'webhook-created',
      message: '{actor} added a webhook that sends events to {host}.',
    },
  },
  'webhook.removed': { ...WEBHOOK, words: 'Webhook removed' },
  'webhook.secret_rotated': { ...WEBHOOK, words: 'Secret of a webhook rotated' },
  'webhook.tested': { ...WEBHOOK, words: 'Webhook tested' },
  'webhook.redelivered': { ...WEBHOOK, words: 'Webhook sent again' },
  'delivery.retried': DELIVERY,
  'delivery.all_retried': DELIVERY,
  'delivery.discarded': DELIVERY,

  'employee_import.checked': { ...IMPORT, words: 'File of employees checked' },
  'employee_import.matched': { ...IMPORT, words: 'Columns of a file of employees matched' },
  'employee_import.confirmed': { ...IMPORT, words: 'Import of employees confirmed' },
  'employee_import.discarded': { ...IMPORT, words: 'Discarded the file of employees' },
  'employee_import.finished': {
    about: 'employee_import',
    words: 'Import of employees finished',
    toOwner: {
      kind: 'import-finished',
      message: '{imported} employees were imported. {failed} could not be imported.',
    },
  },

  'usual_pay_import.checked': { ...USUAL_PAY, words: 'File of usual pay checked' },
  'usual_pay_import.sent': {
    ...USUAL_PAY,
    words: 'File of usual pay confirmed by the first of two',
    toAdmins: {
      kind: 'usual-pay-file-to-confirm',
      message:
        '{actor} changes the usual pay of {people} by a file. It waits for a second administrator.',
    },
  },
  'usual_pay_import.taken': {
    about: 'usual_pay_import',
    live: { admins: ['imports', 'payroll'] },
    words: 'Usual pay changed by a file',
    isTimed: true,
  },
  'usual_pay_import.discarded': { ...USUAL_PAY, words: 'File of usual pay discarded' },

  'question.asked': {
    ...QUESTION,
    words: 'Asked a question',
    toAdmins: { kind: 'question-asked', message: '{actor} {asks} {reference}: {question}' },
  },
  'question.answered': {
    ...QUESTION,
    words: 'Answered a question',
    toOwner: {
      kind: 'question-answered',
      message: '{actor} answered your question about {reference}: {answer}',
    },
  },
  'kyc.review_claimed': REVIEW,
  'kyc.review_taken_over': REVIEW,
  'kyc.note_added': REVIEW,
  'kyc.material_destroyed': { about: 'app_user', live: { owner: ['kyc'], admins: ['kyc'] } },

  'books.verification_requested': { about: 'books' },
  'books.found_unsound': { about: 'books', words: 'Books found not sound' },
  'books.found_sound': { about: 'books', words: 'Books found sound again' },
  'ledger.signing_key_replaced': { about: 'ledger_block' },
} as const satisfies Record<string, EventSpec>;
