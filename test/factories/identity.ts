import { ensureEmployee } from '#server/modules/employees/index.ts';
import { createIdentity } from '#server/modules/identity/index.ts';
import type { Identity, IdentityOptions } from '#server/modules/identity/index.ts';
import { latestStatus } from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';
import type { TestDb } from '../open-db.ts';

const MANY = { attempts: 100_000, perS: 3_600 };

/** No limit that a test would meet by accident. */
const NO_LIMITS: NonNullable<IdentityOptions['limits']> = {
  signInFromAddress: MANY,
  signInToAccount: MANY,
  signInToAccountAnywhere: MANY,
  wrongPasswordFromAddress: MANY,
  signUpFromAddress: MANY,
  resetFromAddress: MANY,
  resetOfAccount: MANY,
  confirmationOfAccount: MANY,
  changeOfEmail: MANY,
  wrongLinkFromAddress: MANY,
  redemptionByAccount: MANY,
};

/** Signs the sessions of the tests; a server given it knows them too. */
export const TEST_SECRET = 'a secret of the tests that is long enough to be one';

/** Identity wired as the server wires it, without limits. The clock must stand near the true time. */
export function createTestIdentity(
  { db, pool }: Pick<TestDb, 'db' | 'pool'>,
  services: Services,
  options: Partial<
    Pick<IdentityOptions, 'confirmsEmail' | 'isProduction' | 'url' | 'limits' | 'secrets' | 'wait'>
  > = {},
): Identity {
  return createIdentity({
    db,
    pool,
    services,
    secrets: [TEST_SECRET],
    url: 'http://localhost:3000',
    confirmsEmail: false,
    isProduction: false,
    completePerson: (tx, userId) => ensureEmployee(tx, services, userId),
    kycStatusOf: latestStatus,
    limits: NO_LIMITS,
    ...options,
  });
}
