import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { ROLES } from '../identity.ts';
import { KYC_DOCUMENT_STATUSES, KYC_DOCUMENT_TYPES, KYC_EVENTS, KYC_STATUSES } from '../kyc.ts';
import { employeeList } from '../lists.ts';
import { MAX_PASSWORD_LINKS } from '../limits.ts';
import { fullNameRule, positionRule } from '../people.ts';
import { EMPLOYEE_STANDINGS } from '../statuses.ts';
import { FURTHER_WALLET_TYPES } from '../wallets.ts';
import { avatarUrl } from './avatars.ts';
import { bankAccount } from './bank-accounts.ts';
import { DECIDED_TOPICS, done, MONEY_TOPICS } from './common.ts';
import { email, id, idParams, instant, money, reason, textOf } from './values.ts';
import { defineRoute } from './define.ts';
import { adminDeposit } from './deposits.ts';
import { wallet } from './employee.ts';
import { historyItem } from './history.ts';
import { accessLogEntry } from './access-log.ts';
import { listRoutes } from './list.ts';
import { personStanding } from './people.ts';
import { adminWithdrawal } from './withdrawals.ts';

/** An employee as the directory shows them. */
const employee = namedObject('Employee', {
  id,
  name: z.string(),
  email: z.string(),
  /** `TR-0147`; an applicant may have none yet. */
  employeeId: z.string().nullable(),
  avatarUrl,
  department: z.enum(DEPARTMENT_IDS),
  position: z.string(),
  standing: z.enum(EMPLOYEE_STANDINGS),
  /** An administrator who is an employee as well has the role of an administrator. */
  role: z.enum(ROLES),
  /** Everything in all open accounts, with the money that is held for requests. */
  balance: money,
  /** Balance less holds. */
  available: money,
  /** The first of the open accounts, the salary wallet if it is open; null where none is. */
  account: namedObject('EmployeeAccount', { name: z.string(), last4: z.string() }).nullable(),
  /** Number of further open accounts. */
  furtherAccounts: z.number().int(),
  /** Status of the latest application; null before there is one. */
  kycStatus: z.enum(KYC_STATUSES).nullable(),
});

/** Result for a person whom an admin added. */
const addedEmployee = employee
  .pick({ id: true, name: true, email: true, employeeId: true, department: true, account: true })
  .extend({
    /** The link to choose a password was mailed; else `adminCreatePasswordLink` shows one. */
    isMailed: z.boolean(),
  });

/** Links to choose a first password that were made together. */
export const passwordLinks = namedObject('PasswordLinks', {
  /** Links by name; none where they are mailed. Earlier links no longer work. */
  links: z.array(
    namedObject('PasswordLink', {
      id,
      name: z.string(),
      email: z.string(),
      url: z.url(),
      expiresAt: instant,
    }),
  ),
  mailedCount: z.number().int(),
});

export const passwordLinksWay = namedEnum('PasswordLinksWay', ['mail', 'show']);

/** Department and position. */
const place = z.object({
  department: z.enum(DEPARTMENT_IDS, { error: 'Choose a department' }),
  position: textOf(positionRule),
});

/** Everything an admin asks about a person; of each list the newest, as many as the page shows. */
const employeePage = named(
  'EmployeePage',
  personStanding.extend({
    ...place.shape,
    position: z.string(),
    firstName: z.string(),
    /** Empty where the person has a single name. */
    lastName: z.string(),
    /** Added by an admin, and has chosen no password yet. */
    isInvited: z.boolean(),
    joinedAt: instant,
    lastSignInAt: instant.nullable(),
    /** Open accounts, the salary wallet first. */
    wallets: z.array(
      namedObject('EmployeeWallet', {
        ...wallet.shape,
        /** The sentence with which closing it would be refused now; null if it would not, and of the primary account. */
        refusal: z.string().nullable(),
      }),
    ),
    /** Amount available in all of them. */
    available: money,
    /** Deposits and payroll of this calendar year, and the two apart. */
    ytdEarnings: money,
    ytdPayroll: money,
    ytdDeposits: money,
    /** The last payroll or deposit that arrived. */
    lastDeposit: z.object({ amount: money, description: z.string(), at: instant }).nullable(),
    activity: z.array(historyItem),
    withdrawals: z.array(adminWithdrawal),
    deposits: z.array(adminDeposit),
    bankAccounts: z.array(bankAccount),
    /** The latest application; null before there is one. */
    identity: z
      .object({
        applicationId: id,
        status: z.enum(KYC_STATUSES),
        /** Actions on it, oldest first, without their texts. */
        steps: z.array(z.object({ action: z.enum(KYC_EVENTS), by: z.string(), at: instant })),
      })
      .nullable(),
    /** The images that count now, of the application and of the wallet; the newest first. */
    documents: z.array(
      z.object({
        id,
        type: z.enum(KYC_DOCUMENT_TYPES),
        status: z.enum(KYC_DOCUMENT_STATUSES),
        /** Its application or its verification profile. */
        reviewed: z.object({ as: z.enum(['application', 'documents']), id }),
        uploadedAt: instant,
        reviewedBy: z.string().nullable(),
        reviewedAt: instant.nullable(),
      }),
    ),
    /** Accesses of admins to things of theirs. */
    opened: z.array(accessLogEntry),
    /** Acts on them and by them; `by` is null for the system and for visitors. */
    audit: z.array(
      z.object({ id: z.string(), action: z.string(), by: z.string().nullable(), at: instant }),
    ),
  }),
);

export const employeeDirectoryRoutes = {
  ...listRoutes('/api/admin/employees', employeeList, employee, {
    names: {
      kyc: 'KycStatusFilter',
      department: 'DepartmentFilter',
      standing: 'StandingFilter',
      sort: 'EmployeeSort',
    },
    summary: 'Employees and applicants by name',
    access: 'admin',
    late: 'all',
    topics: [...MONEY_TOPICS, 'payroll', 'kyc', 'people'],
    scope: 'people:read',
  }),
  adminGetEmployee: defineRoute('GET /api/admin/employees/{id}', {
    summary: 'Everything an admin asks about a person, the newest of each kind',
    access: 'admin',
    topics: ['wallets', ...DECIDED_TOPICS],
    scope: 'people:read',
    params: idParams,
    reply: employeePage,
    errors: ['person_not_found'],
  }),
  adminChangePosition: defineRoute('PUT /api/admin/employees/{id}/position', {
    summary: 'Change where somebody works and as what; drafted payrolls keep who is in them',
    access: 'admin',
    scope: 'people:write',
    changes: { admins: ['people'] },
    params: idParams,
    /** `seen`: as it stood when the admin began; refused if it is otherwise by now. */
    body: place.extend({
      seen: z.object({ department: z.enum(DEPARTMENT_IDS), position: z.string() }),
    }),
    reply: done,
    errors: ['person_not_found', 'conflict'],
  }),
  adminOpenWallet: defineRoute('POST /api/admin/employees/{id}/wallets', {
    summary: 'Open a further account for an employee, or one again that was closed',
    access: 'admin',
    changes: { owner: ['wallets'], admins: ['wallets'] },
    params: idParams,
    body: z.object({ type: z.enum(FURTHER_WALLET_TYPES) }),
    reply: wallet,
    status: 201,
    errors: ['person_not_found', 'person_wrong_standing', 'no_accounts', 'wallet_exists'],
  }),
  adminCloseWallet: defineRoute('POST /api/admin/employees/{id}/wallets/close', {
    summary: 'Close an empty further account of an employee; its history stays',
    access: 'admin',
    changes: { owner: ['wallets'], admins: ['wallets'] },
    params: idParams,
    body: z.object({ type: z.enum(FURTHER_WALLET_TYPES) }),
    reply: done,
    errors: ['person_not_found', 'wallet_not_found', 'wallet_not_empty', 'wallet_in_use'],
  }),
  adminFreezePayouts: defineRoute('POST /api/admin/people/{id}/freeze-payouts', {
    summary: 'Let none of the money of a person leave, with a reason, until an admin releases it',
    access: 'admin',
    changes: { owner: ['sessions', 'payments'], admins: ['people'] },
    params: idParams,
    body: namedObject('Reason', { reason }),
    reply: done,
    errors: ['person_not_found', 'own_account', 'payouts_frozen_already'],
  }),
  adminAddEmployee: defineRoute('POST /api/admin/employees', {
    summary: 'Add an employee, accepted from the start, with a number and a salary wallet',
    access: 'admin',
    confirms: 'recent',
    scope: 'people:write',
    idempotency: 'required',
    changes: { admins: ['people'] },
    body: z.object({
      fullName: textOf(fullNameRule),
      email,
      department: named('Department', z.enum(DEPARTMENT_IDS, { error: 'Choose a department' })),
    }),
    reply: addedEmployee,
    status: 201,
    errors: ['email_taken'],
  }),
  adminCreateDocumentsLink: defineRoute('POST /api/admin/people/{id}/documents-link', {
    summary:
      'A link by which a person who left reads payslips and statements: mailed, or shown once where no mail server is set',
    access: 'admin',
    confirms: 'recent',
    params: idParams,
    reply: z.object({
      /** Null where it was mailed. */
      link: z.object({ url: z.url(), expiresAt: instant }).nullable(),
    }),
    errors: ['person_not_found', 'person_still_here'],
  }),
  adminCreatePasswordLink: defineRoute('POST /api/admin/people/{id}/password-link', {
    summary:
      'A link to choose a first password, for somebody who has none: mailed, or shown once where no mail server is set',
    access: 'admin',
    confirms: 'recent',
    params: idParams,
    reply: namedObject('ShownLink', {
      /** Null where it was mailed. Earlier links stop working. */
      link: z.object({ url: z.url(), expiresAt: instant }).nullable(),
    }),
    errors: ['person_not_found', 'person_wrong_standing', 'password_chosen'],
  }),
  adminGetOwed: defineRoute('GET /api/admin/owed', {
    summary: 'The total of all wallets, which the company owes to employees',
    access: 'admin',
    topics: [...MONEY_TOPICS, 'payroll', 'kyc', 'people'],
    scope: 'people:read',
    reply: z.object({
      /** The balances of all accounts of people, open or closed, whoever they belong to. */
      balance: money,
      /** The part of it that withdrawals and bills have set aside. */
      held: money,
      /** balance - held */
      available: money,
    }),
  }),
  adminCreatePasswordLinks: defineRoute('POST /api/admin/password-links', {
    summary:
      'Links to choose a first password for several people: mailed, or shown once to be handed out. People who have a password are left out',
    access: 'admin',
    confirms: 'recent',
    hourly: 'passwordLinks',
    body: z.object({
      personIds: z.array(id).min(1).max(MAX_PASSWORD_LINKS),
      way: passwordLinksWay,
    }),
    reply: passwordLinks,
  }),
};
