import { doneBy, query } from '#server/http/handlers.ts';
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

/** Decisions of admins about people. */
export function peopleHandlers(
  services: Services,
  { completePerson }: Pick<Identity, 'completePerson'>,
): Pick<Handlers, PeopleRoute> {
  return {
    ...listHandlers(applicants, () => null),
    adminAcceptApplicant: doneBy(services, async (tx, _services, by, { id }) => {
      await acceptApplicant(tx, services, by, id);
      await completePerson(tx, id);
    }),
    adminDeactivatePerson: doneBy(services, deactivatePerson),
    adminReactivatePerson: doneBy(services, reactivatePerson),
    adminListSessions: query((db, _context, { params }) =>
      listSessionsOf(db, { userId: params.id, now: services.clock.now() }),
    ),
    adminEndSession: doneBy(services, endSession),
    adminEndSessions: doneBy(services, endSessions),
    adminChangeEmail: doneBy(services, setEmailOf),
    listMyNameCorrections: query((db, { actor }) => listNameCorrections(db, actor.id)),
    adminResetTwoFactor: doneBy(services, resetTwoFactor),
    adminChangePosition: doneBy(services, changePosition),
    adminRevokeAdmin: doneBy(services, revokeAdmin),
  };
}
