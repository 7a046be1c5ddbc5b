import { z } from 'zod';
import type { Department } from '#contract/company.ts';
import { DEFAULT_DEPARTMENT, DEFAULT_POSITION } from '#contract/identity.ts';
import { fullName } from '#contract/person-name.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';

export interface NewAccount {
  email: string;
  firstName: string;
  lastName: string;
  department?: Department;
  position?: string;
  /** Of `hashPassword`, made outside the transaction; null until the person chooses one. */
  passwordHash: string | null;
}

/**
 * Makes an account for another person, in the caller's transaction; sign-up goes through Better Auth
 * instead. The person is accepted, and the address counts as confirmed: whoever adds a person vouches
 * for both; without a password they get in by a mailed link alone.
 *
 * @throws AppError account_exists; invalid_request for an address that sign-in would not take
 */
export async function createAccount(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  account: NewAccount,
): Promise<{ id: string }> {
  const email = account.email.trim().toLowerCase();
  if (!z.email().safeParse(email).success) {
    throw new AppError('invalid_request', {}, [
      { path: 'email', message: 'Enter a valid email address' },
    ]);
  }
  const now = services.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const id = newId(now.getTime());
  await tx
    .insertInto('appUser')
    .values({
      id,
      email,
      emailVerified: true,
      name: fullName(account),
      firstName: account.firstName,
      lastName: account.lastName,
      department: account.department ?? DEFAULT_DEPARTMENT,
      position: account.position ?? DEFAULT_POSITION,
      acceptedAt: now,
      ...times,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'app_user_email_key') ? new AppError('account_exists') : error;
    });
  if (account.passwordHash !== null) {
    await tx
      .insertInto('authAccount')
      .values({
        userId: id,
        accountId: id,
        providerId: 'credential',
        password: account.passwordHash,
        ...times,
      })
      .execute();
  }
  recordAudit(tx, {
    by,
    action: 'user.created',
    subjectType: 'user',
    subjectId: id,
    personId: id,
  });
  return { id };
}
