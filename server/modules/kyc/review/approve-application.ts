import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { acceptPerson } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { writeDecision } from './decide-document.ts';
import { applicationDocuments } from '../documents/documents.ts';
import { lockForDecision } from '../lock-application.ts';

/**
 * Approves an application and its documents, with notes or without: its owner may send money out from
 * now on. Who signed up and was not accepted yet is accepted by it.
 *
 * @throws {AppError} `document_rejected`, and as `lockForDecision`
 */
export async function approveApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: DecisionTarget & { notes?: string | undefined },
): Promise<KycApplication> {
  const row = await lockForDecision(tx, by, input, 'approve');
  await approveDocuments(tx, services, by, row.id);
  await acceptPerson(tx, services, by, row.userId);
  return decide(tx, services, by, row, {
    decision: 'approved',
    status: 'approved',
    written: { notes: input.notes?.trim() || null, items: [] },
    isFinal: true,
    kind: 'identity-approved',
    message: 'Your identity has been verified. You can now withdraw money from your accounts.',
  });
}

/** The application's lock keeps its documents as they are. */
async function approveDocuments(
  tx: Tx,
  services: Services,
  by: CommandContext,
  applicationId: string,
): Promise<void> {
  const documents = await applicationDocuments(tx, applicationId);
  if (documents.some(({ status }) => status === 'rejected'))
    throw new AppError('document_rejected');
  for (const document of documents.filter(({ status }) => status !== 'approved')) {
    await writeDecision(tx, services, by, document, { action: 'approve', reason: null });
  }
}
