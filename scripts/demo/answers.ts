import { createHash } from 'node:crypto';
import { dayIn } from '#contract/calendar.ts';
import { FUNDS_SOURCES, ID_TYPES, SECURITY_QUESTIONS } from '#contract/kyc.ts';
import type { KycAnswers } from '#contract/routes/kyc-answers.ts';
import { COMPANY_NAME } from './company.ts';
import type { DemoPerson, Story } from './story.ts';

const STREETS = [
  'Alder Street',
  'Fir Avenue',
  'Lakeview Drive',
  'Mercer Way',
  'Pike Place',
] as const;

const CITIES = [
  { city: 'Seattle', state: 'WA', postalCode: '98101' },
  { city: 'Portland', state: 'OR', postalCode: '97205' },
  { city: 'Boston', state: 'MA', postalCode: '02108' },
  { city: 'Brooklyn', state: 'NY', postalCode: '11201' },
  { city: 'Atlanta', state: 'GA', postalCode: '30303' },
] as const;

const PURPOSES = ['Receiving my salary', 'Salary and savings', 'Salary, bills and saving'] as const;
const INCOMES = ['2500_5000', '5000_10000'] as const;
const VOLUMES = [1_000, 5_000, 10_000] as const;

/** Everything the application asks for, made up. */
export function completeAnswers(story: Story, person: DemoPerson): KycAnswers {
  const { random } = story;
  const twoDigits = (min: number, max: number) => String(random.int(min, max)).padStart(2, '0');
  const someDay = (year: number) => `${year}-${twoDigits(1, 12)}-${twoDigits(1, 28)}`;
  const thisYear = Number(dayIn(story.timeZone, story.now).slice(0, 4));
  return {
    ...random.pick(CITIES),
    fullName: person.by.actor.name,
    dateOfBirth: someDay(thisYear - random.int(22, 61)),
    // Names show no gender, and the demo's people need not.
    gender: 'prefer_not_to_say',
    nationality: random.chance(0.85) ? 'US' : 'CA',
    addressLine1: `${random.int(10, 980)} ${random.pick(STREETS)}`,
    addressLine2: `Apt ${random.int(1, 40)}`,
    country: 'US',
    phoneNumber: `+1 (206) 555-01${random.digits(2)}`,
    email: person.email,
    idType: random.pick(ID_TYPES),
    idNumber: `${random.pick(['C', 'D', 'X'])}${random.digits(8)}`,
    idExpiryDate: someDay(thisYear + random.int(2, 8)),
    employmentStatus: 'employed_full_time',
    employerName: COMPANY_NAME,
    occupation: person.position,
    monthlyIncomeRange: random.pick(INCOMES),
    sourceOfFunds: random.chance(0.9) ? 'salary' : random.pick(FUNDS_SOURCES),
    securityQuestion: random.pick(SECURITY_QUESTIONS),
    securityAnswerHash: createHash('sha256').update(random.digits(12)).digest('hex'),
    pep: false,
    dualCitizenship: random.chance(0.08),
    foreignTaxObligations: random.chance(0.04),
    accountPurpose: random.pick(PURPOSES),
    expectedMonthlyTxVolume: random.pick(VOLUMES),
  };
}

/** The first page of it, as a person leaves it who was called away. */
export function firstAnswers(story: Story, person: DemoPerson): Partial<KycAnswers> {
  const { fullName, dateOfBirth, nationality, email, phoneNumber } = completeAnswers(story, person);
  return { fullName, dateOfBirth, nationality, email, phoneNumber };
}
