import { fullName } from '#contract/person-name.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { createAccount, createInvite, grantAdmin } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { ADMINS, DEMO_SIGN_INS } from './company.ts';

/**
 * The two admins, each by an invite: the first as on the first start of an empty company, the second
 * by the first's. Only whoever is among the demo sign-ins can sign in.
 */
export async function createAdmins(
  tx: Tx,
  services: Services,
  passwordHash: string,
): Promise<readonly [CommandContext, CommandContext]> {
  const [first, second] = ADMINS;
  const renee = await createAdmin(tx, services, first, passwordHash);
  return [renee, await createAdmin(tx, services, second, passwordHash, renee)];
}

async function createAdmin(
  tx: Tx,
  services: Services,
  admin: (typeof ADMINS)[number],
  passwordHash: string,
  invitedBy?: CommandContext,
): Promise<CommandContext> {
  const inviter: AuditContext = invitedBy ?? { actor: 'system' };
  const canSignIn = DEMO_SIGN_INS.some(({ email }) => email === admin.email);
  const account = {
    ...admin,
    department: 'finance',
    passwordHash: canSignIn ? passwordHash : null,
  } as const;
  const { id } = await createAccount(tx, services, inviter, account);
  const name = fullName(admin);
  const { token } = await createInvite(tx, services, inviter, { email: admin.email });
  await grantAdmin(tx, services, { actor: { id, role: 'employee', name } }, token);
  return { actor: { id, role: 'admin', name } };
}
