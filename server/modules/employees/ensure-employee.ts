import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { assignEmployeeNumber, hasAdmin } from '#server/modules/identity/index.ts';
import { ensureApplication, ensureApplications } from '#server/modules/kyc/index.ts';
import { startEmailPreferences } from '#server/modules/notifications/index.ts';
import { openWallet, openWallets } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Gives an employee what every employee has: a number, email preferences as the company starts
 * everybody with, a salary wallet and an application. Does
 * nothing for admins who are no employee and for what is there already, so it runs after sign-up and at every sign-in
 * (sign-up cannot share its transaction), and when the person is accepted, also twice concurrently: it
 * waits on the person's row.
 *
 * A person who signs up before there is an admin gets no wallet yet: it is most likely the first admin,
 * who is to choose the currency, and the first wallet that is opened settles that.
 */
export async function ensureEmployee(tx: Tx, services: Services, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('appUser')
    .select(['isEmployee', 'employeeNumber', 'acceptedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!user.isEmployee) return;
  if (user.employeeNumber === null) {
    await assignEmployeeNumber(tx, services, userId);
    await startEmailPreferences(tx, services, [userId]);
    // An applicant, as admins see it who have a list or a badge open.
    publish(tx, { topic: 'people', userId: null });
  }
  if (user.acceptedAt !== null || (await hasAdmin(tx))) {
    await openWallet(tx, services, { userId, type: 'salary' });
  }
  await ensureApplication(tx, services, userId);
}

/** Gives people whom an admin adds all that an employee has in addition to a number. */
export async function giveBelongings(
  tx: Tx,
  services: Services,
  userIds: readonly string[],
): Promise<void> {
  await startEmailPreferences(tx, services, userIds);
  await openWallets(tx, services, { userIds, type: 'salary' });
  await ensureApplications(tx, services, userIds);
}
