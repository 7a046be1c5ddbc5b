import { createHash } from 'node:crypto';
import type { KycDocument } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { KycAnswers } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  approveApplication,
  attachDocument,
  ensureApplication,
  loadOwnApplication,
  prepareImage,
  saveApplication,
  stageImage,
  submitApplication,
} from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';
import { picture } from './images.ts';

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

/** Decoded once for all tests of a file. */
const somePicture = picture().then(prepareImage);

/** Gives the person a current document of that type; in one go, since nobody waits. */
export async function giveDocument(
  db: Db,
  services: Services,
  owner: CommandContext,
  { type, issuedOn, image, fileName = 'scan.png' }: GivenDocument,
): Promise<KycDocument> {
  const prepared = image === undefined ? await somePicture : await prepareImage(image);
  return withTx(db, async (tx) => {
    const userId = owner.actor.id;
    const staged = await stageImage(tx, services, { userId, fileName, image: prepared });
    await services.files.put(staged.id, staged.sealed);
    return attachDocument(tx, services, owner, { type, issuedOn, staged });
  });
}

interface GivenDocument {
  type: KycDocumentType;
  issuedOn?: string;
  /** Bytes of a picture; left out: one that many people have. */
  image?: Buffer;
  fileName?: string;
}

/** An application with every answer and both images, that can be submitted. */
export async function completeApplication(
  db: Db,
  services: Services,
  owner: CommandContext,
): Promise<KycApplication> {
  await withTx(db, async (tx) => {
    await ensureApplication(tx, services, owner.actor.id);
    const { id, version } = await loadOwnApplication(tx, services, owner.actor.id);
    await saveApplication(tx, services, owner, { id, version, answers: COMPLETE_ANSWERS });
  });
  for (const type of APPLICATION_DOCUMENT_TYPES) await giveDocument(db, services, owner, { type });
  return loadOwnApplication(db, services, owner.actor.id);
}

/** An application that waits for review. */
export async function submittedApplication(
  db: Db,
  services: Services,
  owner: CommandContext,
): Promise<KycApplication> {
  const complete = await completeApplication(db, services, owner);
  return withTx(db, (tx) => submitApplication(tx, services, owner, complete));
}

/** The person's identity is approved by that admin: they may send money out. */
export async function approveIdentity(
  db: Db,
  services: Services,
  owner: CommandContext,
  admin: CommandContext,
): Promise<KycApplication> {
  const { id, version } = await submittedApplication(db, services, owner);
  return withTx(db, (tx) =>
    approveApplication(tx, services, admin, { applicationId: id, version }),
  );
}
