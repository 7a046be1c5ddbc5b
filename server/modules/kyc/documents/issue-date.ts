import { dayIn } from '#contract/calendar.ts';
import { issueDateRefusal } from '#contract/kyc.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Checks a document's date of issue by the calendar of the company.
 *
 * @throws {AppError} `issue_date_needed`, `issue_date_future`, `document_too_old`
 */
export async function checkIssueDate(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  { type, issuedOn }: { type: KycDocumentType; issuedOn?: string | undefined },
): Promise<void> {
  if (type !== 'proof_of_address') return;
  const { timeZone } = await readSettings(reader);
  const refusal = issueDateRefusal(type, issuedOn, dayIn(timeZone, clock.now()));
  if (refusal !== null) throw new AppError(refusal);
}
