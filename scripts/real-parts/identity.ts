import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { KycAnswers } from '#contract/routes/kyc-answers.ts';
import type { Client } from './client.ts';

/** nginx accepts a body of 1 MB unless its configuration allows more. */
const MORE_THAN_BYTES = 1_048_576;

/** Answers of the steps of the application. Its fourth step is the images, its eighth the summary. */
function stepsOf(fullName: string, email: string): Record<string, Partial<KycAnswers>> {
  return {
    'Personal Information': { fullName, dateOfBirth: '1991-03-14', nationality: 'CA' },
    'Contact Details': {
      country: 'US',
      addressLine1: '2217 N 45th St',
      city: 'Seattle',
      state: 'WA',
      postalCode: '98103',
      phoneNumber: '(206) 555-0148',
      email,
    },
    Identification: {
      idType: 'passport',
      idNumber: 'SPEC-7K42-1908',
      idExpiryDate: '2035-03-14',
    },
    'Employment & Income': {
      employmentStatus: 'employed_full_time',
      occupation: 'Illustrator',
      monthlyIncomeRange: '5000_10000',
      sourceOfFunds: 'salary',
    },
    'Security Setup': {
      securityQuestion: 'first_car',
      securityAnswerHash: createHash('sha256').update('biscuit').digest('hex'),
    },
    'Compliance & Risk': {
      accountPurpose: 'Receive my pay',
      expectedMonthlyTxVolume: 10_000,
    },
  };
}

/**
 * Answers the eight steps of the identity application one after the other, with two images above the size
 * that nginx lets through by default, and submits it.
 *
 * @returns sizes of the images in bytes
 */
export async function applyForIdentity(
  person: Client,
  { fullName, email }: { fullName: string; email: string },
): Promise<number[]> {
  let { id, version } = await person.call('getMyApplication', {});
  for (const answers of Object.values(stepsOf(fullName, email))) {
    ({ id, version } = await person.call('saveMyApplication', { body: { id, version, answers } }));
  }
  const images = [await photograph(), await photograph()] as const;
  await person.uploadImage('id_front', images[0]);
  await person.uploadImage('id_back', images[1]);
  const { status } = await person.call('submitMyApplication', { body: { id, version } });
  if (status !== 'submitted') throw new Error(`The application is ${status}`);
  return images.map(({ length }) => length);
}

/** A JPEG that compresses badly, as the photograph of a telephone does. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 140, sigma: 45 } as const;
  const image = await sharp({
    create: { width: 1600, height: 1000, channels: 3, background: '#ffffff', noise },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
  if (image.length <= MORE_THAN_BYTES) throw new Error(`The image has ${image.length} bytes`);
  return image;
}
