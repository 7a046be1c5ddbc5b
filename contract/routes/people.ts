import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { ROLES } from '../identity.ts';
import { applicantList } from '../lists.ts';
import { STANDINGS } from '../statuses.ts';
import { done } from './common.ts';
import {
  correctionReason,
  email,
  id,
  idParams,
  instant,
  money,
  personName,
  reason,
} from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

const applicant = namedObject('Applicant', {
  id,
  name: z.string(),
  email: z.string(),
  department: z.enum(DEPARTMENT_IDS),
  /** False until the person followed the link that was mailed to the address. */
  emailConfirmed: z.boolean(),
  appliedAt: instant,
});

/** A person as an admin decides on them. */
export const personStanding = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  /** Also true of an admin who was an employee before. */
  isEmployee: z.boolean(),
  employeeId: z.string().nullable(),
  standing: namedEnum('Standing', STANDINGS),
  deactivatedAt: instant.nullable(),
  /** Why, as the admin wrote it who changed the standing last. */
  reason: z.string().nullable(),
  /** Since when none of their money leaves, because they reported a change that was not theirs. */
  payoutsFrozenAt: instant.nullable(),
  /** The person who froze them, and the reason where it was an admin. */
  payoutsFrozen: namedObject('FrozenPayouts', {
    by: z.string().nullable(),
    reason: z.string().nullable(),
  }).nullable(),
  /** True if signing in takes a second step. */
  hasTwoFactor: z.boolean(),
  /** Since when nothing is sent to the address, because the mail server said that it does not exist. */
  mailStoppedAt: instant.nullable(),
  /** Number of their sessions. */
  sessions: z.number().int(),
  /** Requests that are not settled; they stay when the person is deactivated. */
  inProgress: namedObject('RequestsInProgress', {
    withdrawals: z.number().int(),
    /** Sum held by those withdrawals. */
    held: money,
    deposits: z.number().int(),
    /** Bills that hold money. */
    bills: z.number().int(),
    billsHeld: money,
    bankAccounts: z.number().int(),
  }),
});

/** A place where a person is signed in, as admins see it. */
const openSession = namedObject('PersonSession', {
  id,
  createdAt: instant,
  lastSeenAt: instant,
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
});

/** Most corrections of one person's name that are listed. */
const MAX_NAME_CORRECTIONS = 50;

const decision = { access: 'admin', params: idParams, reply: done } as const;

/** A decision on an administrator waits for another one, or for a day where there is no other. */
const decisionByTwo = {
  ...decision,
  changes: { admins: ['people'] },
  mayChange: { owner: ['sessions'], admins: ['settings'] },
  reply: namedObject('DoneOrProposed', {
    ...done.shape,
    /** Null where it was done. `opensAt`: from when who proposed it may do it, where there is no other admin. */
    proposal: namedObject('WaitingProposal', { id, opensAt: instant.nullable() }).nullable(),
  }),
} as const;

export const peopleRoutes = {
  ...listRoutes('/api/admin/applicants', applicantList, applicant, {
    summary: 'People who signed up and wait to be accepted, oldest first',
    access: 'admin',
    topics: ['people'],
    scope: 'people:read',
  }),
  adminGetPerson: defineRoute('GET /api/admin/people/{id}', {
    summary: 'Where a person stands, and their requests in progress',
    access: 'admin',
    topics: ['people'],
    scope: 'people:read',
    params: idParams,
    reply: personStanding,
    errors: ['person_not_found'],
  }),
  adminAcceptApplicant: defineRoute('POST /api/admin/people/{id}/accept', {
    ...decision,
    confirms: 'recent',
    summary: 'Accept a person who signed up: payroll pays them from now on',
    changes: { admins: ['people'] },
    errors: ['person_not_found', 'person_wrong_standing', 'own_account'],
  }),
  adminDeactivatePerson: defineRoute('POST /api/admin/people/{id}/deactivate', {
    ...decision,
    confirms: 'recent',
    summary:
      'Deactivate a person, with a reason: no sign-in and no payroll; their money stays theirs',
    changes: { owner: ['sessions'], admins: ['people'] },
    body: z.object({ reason }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'last_admin'],
  }),
  adminReactivatePerson: defineRoute('POST /api/admin/people/{id}/reactivate', {
    ...decisionByTwo,
    confirms: 'recent',
    summary: 'Let a deactivated person in again, with a reason',
    body: z.object({ reason }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'person_erased'],
  }),
  adminListSessions: defineRoute('GET /api/admin/people/{id}/sessions', {
    summary: 'Where a person is signed in, latest use first, at most the newest hundred',
    access: 'admin',
    topics: ['people'],
    params: idParams,
    reply: z.object({ items: z.array(openSession) }),
    errors: ['person_not_found'],
  }),
  adminEndSession: defineRoute('POST /api/admin/people/{id}/sessions/{sessionId}/end', {
    ...decision,
    summary: 'End one session of a person',
    changes: { owner: ['sessions'] },
    params: idParams.extend({ sessionId: id }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'not_found'],
  }),
  adminEndSessions: defineRoute('POST /api/admin/people/{id}/end-sessions', {
    ...decision,
    summary: 'Sign a person out everywhere',
    changes: { owner: ['sessions'], admins: ['people'] },
    errors: ['person_not_found', 'person_wrong_standing', 'own_account'],
  }),
  adminResetTwoFactor: defineRoute('POST /api/admin/people/{id}/reset-two-factor', {
    ...decisionByTwo,
    summary:
      'Turn off the two-factor of a person who lost phone and codes, with a reason; ends their sessions',
    confirms: 'recent',
    body: z.object({ reason }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'two_factor_is_off'],
  }),
  adminCorrectName: defineRoute('POST /api/admin/people/{id}/correct-name', {
    summary:
      'Correct the name of a person, with a reason; an approved identity under another name is reviewed again',
    access: 'admin',
    confirms: 'recent',
    changes: { owner: ['sessions'], admins: ['people'] },
    mayChange: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    /** `seen`: the name when the admin began; refused if it is another one by now. */
    body: z.object({
      ...personName,
      reason: correctionReason,
      seen: z.object({ firstName: z.string(), lastName: z.string() }),
    }),
    reply: z.object({
      /** True if the approved identity application went back to review. */
      isIdentityReopened: z.boolean(),
    }),
    errors: [
      'person_not_found',
      'person_wrong_standing',
      'own_account',
      'conflict',
      'name_unchanged',
    ],
  }),
  adminChangeEmail: defineRoute('POST /api/admin/people/{id}/change-email', {
    ...decision,
    summary:
      'Set the address that a person signs in with, with a reason; mails the former and the new one',
    confirms: 'recent',
    /** `seen`: the address when the admin began; refused if it is another one by now. */
    changes: { owner: ['sessions'], admins: ['people'] },
    body: z.object({ email, reason: correctionReason, seen: z.string() }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'conflict', 'email_taken'],
  }),
  listMyNameCorrections: defineRoute('GET /api/account/name-corrections', {
    summary: 'Corrections of my name by administrators, newest first',
    access: 'signedIn',
    topics: ['sessions'],
    reply: z.object({
      items: z
        .array(
          z.object({
            id,
            before: z.string(),
            after: z.string(),
            reason: z.string(),
            at: instant,
          }),
        )
        .max(MAX_NAME_CORRECTIONS),
    }),
  }),
  adminRevokeAdmin: defineRoute('POST /api/admin/people/{id}/revoke-admin', {
    ...decisionByTwo,
    summary: 'Take the rights of an admin away, with a reason; ends their sessions',
    confirms: 'recent',
    body: z.object({ reason }),
    errors: ['person_not_found', 'person_wrong_standing', 'own_account', 'last_admin'],
  }),
};
