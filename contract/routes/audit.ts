import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { AUDIT_ROLES } from '../audit.ts';
import { auditList } from '../lists.ts';
import { id, instant } from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

/** The number of a record: it grows with time. */
const eventId = z.string().regex(/^[1-9]\d{0,17}$/);

/** Field names and masked values. */
const details = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

const event = namedObject('AuditEvent', {
  id: eventId,
  at: instant,
  role: namedEnum('AuditRole', AUDIT_ROLES),
  /** The person who acted; null for a visitor and for Purser itself. */
  by: z.object({ id, name: z.string() }).nullable(),
  /** Verb and thing: `withdrawal.approved`. */
  action: z.string(),
  subjectType: z.string(),
  subjectId: id.nullable(),
  /** Name of its subject: a reference, a payroll's number; null where it has none. */
  subject: z.string().nullable(),
  /** The person it concerns. */
  person: z.object({ id, name: z.string() }).nullable(),
  details,
  /** From where; null for Purser itself, and once it was erased. */
  ipAddress: z.string().nullable(),
});

export const auditRoutes = {
  ...listRoutes('/api/admin/audit', auditList, event, {
    names: { role: 'AuditRoleFilter', thing: 'AuditThingFilter' },
    summary: 'Every act that was recorded, newest first',
    access: 'admin',
    late: 'all',
    topics: [],
    scope: 'audit:read',
  }),
  adminGetAuditEvent: defineRoute('GET /api/admin/audit/{id}', {
    summary: 'One recorded act, with where it came from and its seal',
    access: 'admin',
    mayBeLate: true,
    topics: [],
    scope: 'audit:read',
    params: z.object({ id: eventId }),
    reply: event.extend({
      userAgent: z.string().nullable(),
      requestId: z.string().nullable(),
      /** Height of the block that it is sealed in; null until it is. */
      block: z.string().nullable(),
    }),
    errors: ['audit_event_not_found'],
  }),
};
