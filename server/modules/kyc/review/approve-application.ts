import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { ACCEPTED_MESSAGE, acceptPerson } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { NO_WORDS } from '../application/history.ts';
import type { ApplicationRow } from '../application/history.ts';
import { writeAnswers } from '../application/write-answers.ts';
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
  const row = await takeCorrectedName(
    tx,
    services,
    await lockForDecision(tx, by, input, 'approve'),
  );
  await approveDocuments(tx, services, by, row.id);
  const isNewEmployee = await acceptPerson(tx, services, by, row.userId);
  return decide(tx, services, by, row, {
    act: 'approve',
    written: { ...NO_WORDS, notes: input.notes?.trim() || null },
    words: { accepted: isNewEmployee ? ACCEPTED_MESSAGE : null },
  });
}

/**
 * An approval after a name was corrected is one of the corrected name: what was asked in the application
 * would otherwise keep the former one, which bank account holders are compared with.
 */
async function takeCorrectedName(
  tx: Tx,
  services: Services,
  row: ApplicationRow,
): Promise<ApplicationRow> {
  const last = await tx
    .selectFrom('kycAction')
    .innerJoin('kycApplication', 'kycApplication.id', 'kycAction.applicationId')
    .innerJoin('appUser', 'appUser.id', 'kycApplication.userId')
    .select(['kycAction.action', 'appUser.name'])
    .where('kycAction.applicationId', '=', row.id)
    .where('kycAction.action', 'in', ['approved', 'name_changed'])
    .orderBy('kycAction.createdAt', 'desc')
    .orderBy('kycAction.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.action !== 'name_changed') return row;
  return writeAnswers(tx, services, row, {
    changes: { fullName: last.name },
    unrecordedFields: row.unrecordedFields,
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
