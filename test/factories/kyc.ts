import { createHash } from 'node:crypto';
import type { KycAnswers } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import {
  approveApplication,
  ensureApplication,
  saveApplication,
  submitApplication,
} from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';

/** Every required answer, as the screen sends them. */
export const COMPLETE_ANSWERS: Omit<
  KycAnswers,
  'gender' | 'addressLine2' | 'employerName' | 'pep' | 'dualCitizenship' | 'foreignTaxObligations'
> = {
  fullName: 'Maya Castellanos',
  dateOfBirth: '1990-04-12',
  nationality: 'US',
  addressLine1: '18 Alder Street',
  city: 'Seattle',
  state: 'WA',
  postalCode: '98101',
  country: 'US',
  phoneNumber: '+1 (206) 555-0142',
  email: 'maya@purser.test',
  idType: 'passport',
  idNumber: 'X1234567',
  idExpiryDate: '2031-01-01',
  employmentStatus: 'employed_full_time',
  occupation: 'Engineer',
  monthlyIncomeRange: '5000_10000',
  sourceOfFunds: 'salary',
  securityQuestion: 'first_pet',
  securityAnswerHash: createHash('sha256').update('biscuit').digest('hex'),
  accountPurpose: 'Receiving my salary',
  expectedMonthlyTxVolume: 5_000,
};

/** An application that waits for review. */
export function submittedApplication(
  db: Db,
  services: Services,
  owner: By,
): Promise<KycApplication> {
  return withTx(db, async (tx) => {
    await ensureApplication(tx, services, owner.actor.id);
    const { version } = await saveApplication(tx, services, owner, { answers: COMPLETE_ANSWERS });
    return submitApplication(tx, services, owner, { version });
  });
}

/** The person's identity is approved by that admin: they may send money out. */
export async function approveIdentity(
  db: Db,
  services: Services,
  owner: By,
  admin: By,
): Promise<KycApplication> {
  const { id, version } = await submittedApplication(db, services, owner);
  return withTx(db, (tx) =>
    approveApplication(tx, services, admin, { applicationId: id, version }),
  );
}
