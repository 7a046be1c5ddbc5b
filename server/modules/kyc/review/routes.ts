import type { Handlers, RequestContext } from '#server/http/handlers.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { approveApplication } from './approve-application.ts';
import { askForIdentity } from './ask-for-identity.ts';
import { claimReview, releaseReview } from './claims.ts';
import { correctAddress } from './correct-address.ts';
import { decideDocument } from './decide-document.ts';
import { moveToReview } from './move-to-review.ts';
import { addNote } from './notes.ts';
import { linkDocumentForReview } from '../documents/open-document.ts';
import { rejectApplication } from './reject-application.ts';
import { requestResubmission } from './request-resubmission.ts';
import { reviewQueue } from './queue-list.ts';
import type { QueueScope } from './queue-rows.ts';
import { countReviews, findNeighbours } from './review-queue.ts';
import { presentApplicationReview, reviewApplication, reviewVerification } from './review.ts';

type Names =
  | 'adminListReviewQueue'
  | 'adminCountReviewQueue'
  | 'adminGetReviewCounts'
  | 'adminGetReviewNeighbours'
  | 'adminClaimReview'
  | 'adminReleaseReview'
  | 'adminAddReviewNote'
  | 'adminGetApplication'
  | 'adminAskForIdentity'
  | 'adminCorrectAddress'
  | 'adminMoveToReview'
  | 'adminApproveApplication'
  | 'adminRejectApplication'
  | 'adminRequestResubmission'
  | 'adminGetVerification'
  | 'adminApproveDocument'
  | 'adminRejectDocument'
  | 'adminCreateDocumentLink';

/** The review desk. What opens something is a command, since it is recorded. */
export function reviewHandlers(
  services: Services,
  { completePerson }: Pick<Identity, 'completePerson'>,
): Pick<Handlers, Names> {
  const scopeOf = ({ actor }: RequestContext): QueueScope => ({
    viewerId: actor.id,
    now: services.clock.now(),
  });
  return {
    ...listHandlers(reviewQueue, (_db, context) => scopeOf(context)),
    adminGetReviewCounts: query((db, _context, input) => countReviews(db, services, input.query)),
    adminGetReviewNeighbours: query((db, context, input) =>
      findNeighbours(db, input.params.id, input.query, scopeOf(context)),
    ),
    adminClaimReview: command((tx, by, { params, body }) =>
      claimReview(tx, services, by, { itemId: params.id, ...body }),
    ),
    adminReleaseReview: doneAfter((tx, by, { params }) => releaseReview(tx, by, params.id)),
    adminAddReviewNote: command(async (tx, by, { params, body }) => ({
      notes: await addNote(tx, services, by, { itemId: params.id, ...body }),
    })),
    adminGetApplication: command((tx, by, { params }) =>
      reviewApplication(tx, services, by, params.id),
    ),
    adminAskForIdentity: doneAfter((tx, by, { params }) =>
      askForIdentity(tx, services, by, params.id),
    ),
    adminCorrectAddress: doneAfter((tx, by, { params, body }) =>
      correctAddress(tx, services, by, { applicationId: params.id, ...body }),
    ),
    adminMoveToReview: command(async (tx, by, { params, body }) => {
      const target = { applicationId: params.id, ...body };
      return presentApplicationReview(
        tx,
        services,
        by,
        await moveToReview(tx, services, by, target),
      );
    }),
    adminApproveApplication: command(async (tx, by, { params, body }) => {
      const input = { applicationId: params.id, ...body };
      const approved = await approveApplication(tx, services, by, input);
      // It accepts who signed up.
      await completePerson(tx, approved.userId);
      return presentApplicationReview(tx, services, by, approved);
    }),
    adminRejectApplication: command(async (tx, by, { params, body }) => {
      const input = { applicationId: params.id, ...body };
      const rejected = await rejectApplication(tx, services, by, input);
      return presentApplicationReview(tx, services, by, rejected);
    }),
    adminRequestResubmission: command(async (tx, by, { params, body }) => {
      const input = { applicationId: params.id, ...body };
      const returned = await requestResubmission(tx, services, by, input);
      return presentApplicationReview(tx, services, by, returned);
    }),
    adminGetVerification: command((tx, by, { params }) =>
      reviewVerification(tx, services, by, params.id),
    ),
    adminApproveDocument: command((tx, by, { params, body }) =>
      decideDocument(tx, services, by, { ...params, ...body, action: 'approve', reason: null }),
    ),
    adminRejectDocument: command((tx, by, { params, body }) =>
      decideDocument(tx, services, by, { ...params, ...body, action: 'reject' }),
    ),
    adminCreateDocumentLink: command((tx, by, { params }) =>
      linkDocumentForReview(tx, services, by, params),
    ),
  };
}
