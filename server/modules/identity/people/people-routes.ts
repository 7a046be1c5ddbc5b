import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { acceptApplicant } from './accept-person.ts';
import { applicants } from './applicant-list.ts';
import { resetTwoFactor } from '../second-factor/reset-two-factor.ts';
import type { Identity } from '../identity.ts';
import { listNameCorrections } from './correct-name.ts';
import { changePosition } from './change-position.ts';
import { setEmailOf } from '../email-change/set-email.ts';
import { listSessionsOf } from '../queries.ts';
import {
  deactivatePerson,
  endSession,
  endSessions,
  reactivatePerson,
  revokeAdmin,
} from './change-standing.ts';

type PeopleRoute =
  | 'adminListApplicants'
  | 'adminCountApplicants'
  | 'adminAcceptApplicant'
  | 'adminDeactivatePerson'
  | 'adminReactivatePerson'
  | 'adminListSessions'
  | 'adminEndSession'
  | 'adminEndSessions'
  | 'adminChangeEmail'
  | 'listMyNameCorrections'
  | 'adminResetTwoFactor'
  | 'adminRevokeAdmin'
  | 'adminChangePosition';

const done = { ok: true } as const;

/** What admins decide about who is in. */
export function peopleHandlers(
  services: Services,
  { completePerson }: Pick<Identity, 'completePerson'>,
): Pick<Handlers, PeopleRoute> {
  return {
    ...listHandlers(applicants, () => null),
    adminAcceptApplicant: command(async (tx, by, { params }) => {
      await acceptApplicant(tx, services, by, params.id);
      await completePerson(tx, params.id);
      return done;
    }),
    adminDeactivatePerson: command(async (tx, by, { params, body }) => {
      await deactivatePerson(tx, services, by, { id: params.id, reason: body.reason });
      return done;
    }),
    adminReactivatePerson: command(async (tx, by, { params, body }) => {
      await reactivatePerson(tx, services, by, { id: params.id, reason: body.reason });
      return done;
    }),
    adminListSessions: query((db, _context, { params }) =>
      listSessionsOf(db, { userId: params.id, now: services.clock.now() }),
    ),
    adminEndSession: command(async (tx, by, { params }) => {
      await endSession(tx, services, by, params);
      return done;
    }),
    adminEndSessions: command(async (tx, by, { params }) => {
      await endSessions(tx, services, by, params.id);
      return done;
    }),
    adminChangeEmail: command(async (tx, by, { params, body }) => {
      await setEmailOf(tx, services, by, { id: params.id, ...body });
      return done;
    }),
    listMyNameCorrections: query((db, { actor }) => listNameCorrections(db, actor.id)),
    adminResetTwoFactor: command(async (tx, by, { params, body }) => {
      await resetTwoFactor(tx, services, by, { id: params.id, reason: body.reason });
      return done;
    }),
    adminChangePosition: command(async (tx, by, { params, body }) => {
      await changePosition(tx, services, by, { id: params.id, ...body });
      return done;
    }),
    adminRevokeAdmin: command(async (tx, by, { params, body }) => {
      await revokeAdmin(tx, services, by, { id: params.id, reason: body.reason });
      return done;
    }),
  };
}
