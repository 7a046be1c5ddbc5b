import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { INVITE_STATUSES } from '../statuses.ts';
import { done } from './common.ts';
import { email, id, idParams, instant } from './values.ts';
import { defineRoute } from './define.ts';

const admin = namedObject('Administrator', {
  id,
  name: z.string(),
  email: z.string(),
  /** True for the admin who asks. */
  isMe: z.boolean(),
  hasTwoFactor: z.boolean(),
  /** Null for one who is not signed in anywhere and never was. */
  lastActiveAt: instant.nullable(),
  /** Time from which they can be a second person after an invite or a reset; null: now. */
  secondPersonFrom: instant.nullable(),
  /** True if another has to accept an act on them that takes two; else whoever proposes it does, after a day. */
  isByAnother: z.boolean(),
  /** Number of their sessions. */
  sessions: z.number().int(),
});

const invite = namedObject('Invite', {
  id,
  /** The only address that can redeem it; null: whoever has the token. */
  email: z.string().nullable(),
  /** Null for one that was made on the machine itself. */
  createdBy: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
  status: namedEnum('InviteStatus', INVITE_STATUSES),
  usedBy: z.string().nullable(),
});

export const adminsRoutes = {
  adminListAdmins: defineRoute('GET /api/admin/admins', {
    summary: 'Who is an administrator, by name',
    access: 'admin',
    topics: ['people'],
    reply: z.object({ items: z.array(admin) }),
  }),
  adminListInvites: defineRoute('GET /api/admin/invites', {
    summary: 'Invites that make somebody an administrator, newest first, without their tokens',
    access: 'admin',
    topics: ['people'],
    reply: z.object({
      items: z.array(invite),
      /** The sentence with which an invite would be refused to the admin who asks; null: it would not. */
      refusal: z.string().nullable(),
    }),
  }),
  adminCreateInvite: defineRoute('POST /api/admin/invites', {
    summary: 'Invite an administrator; its link is mailed, or is in this reply and nowhere else',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['people'] },
    body: z.object({
      /** The only address that can redeem it; null: whoever has the token. */
      email: email.nullable(),
    }),
    reply: z.object({
      id,
      email: z.string().nullable(),
      /** Null where it was mailed to the address. */
      link: z.url().nullable(),
      expiresAt: instant,
    }),
    status: 201,
    errors: ['cannot_invite_yet'],
  }),
  adminRevokeInvite: defineRoute('POST /api/admin/invites/{id}/revoke', {
    summary: 'Take an invite back that nobody has used',
    access: 'admin',
    changes: { admins: ['people'] },
    params: idParams,
    reply: done,
    errors: ['invite_not_found', 'invite_not_waiting'],
  }),
};
