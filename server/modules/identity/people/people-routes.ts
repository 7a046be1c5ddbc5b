import { doneBy, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { acceptApplicant } from './accept-person.ts';
import { applicants } from './applicant-list.ts';
import type { Identity } from '../identity.ts';
import { listNameCorrections } from './correct-name.ts';
import { changePosition } from './change-position.ts';
import { setEmailOf } from '../email-change/set-email.ts';
import { listSessionsOf } from '../queries.ts';
import { deactivatePerson, endSession, endSessions } from './change-standing.ts';

type PeopleRoute =
  | 'adminListApplicants'
  | 'adminCountApplicants'
  | 'adminAcceptApplicant'
  | 'adminDeactivatePerson'
  | 'adminListSessions'
  | 'adminEndSession'
  | 'adminEndSessions'
  | 'adminChangeEmail'
  | 'listMyNameCorrections'
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
    adminListSessions: query((db, _context, { params }) =>
      listSessionsOf(db, { userId: params.id, now: services.clock.now() }),
    ),
    adminEndSession: doneBy(services, endSession),
    adminEndSessions: doneBy(services, endSessions),
    adminChangeEmail: doneBy(services, setEmailOf),
    listMyNameCorrections: query((db, { actor }) => listNameCorrections(db, actor.id)),
    adminChangePosition: doneBy(services, changePosition),
  };
}
