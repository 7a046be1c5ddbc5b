import type { AddedEmployee, RouteArguments } from '#contract/api.ts';
import { splitName } from '#contract/people.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueMail, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { createEmployeeAccount } from './create-employee-account.ts';

type NewEmployee = RouteArguments<'adminAddEmployee'>['body'] & { position?: string };

/**
 * Adds an employee for an admin: accepted from the start, with a number, a salary wallet and an
 * application. They choose a password by a link, which is mailed with this change where there is a mail
 * server.
 *
 * @throws {AppError} `email_taken`; `invalid_request` for an address that sign-in would not take
 */
export async function addEmployee(
  tx: Tx,
  services: Services,
  by: CommandContext,
  employee: NewEmployee,
  { isMailed }: { isMailed: boolean },
): Promise<AddedEmployee> {
  const { fullName, email, department } = employee;
  const { id } = await addUnannounced(tx, services, by, employee, { isMailed });
  publish(tx, { topic: 'people', userId: null });
  const { employeeNumber } = await tx
    .selectFrom('appUser')
    .select('employeeNumber')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { accounts } = await listWallets(tx, id);
  const wallet = invariant(accounts[0], 'a salary wallet opens with every employee');
  return {
    ...{ id, name: fullName, email, department, isMailed },
    employeeId: employeeNumber,
    account: { name: wallet.name, last4: wallet.accountNumberLast4 },
  };
}

/**
 * The change itself, for whoever adds many: nothing is presented, and the caller publishes `people` once
 * for all of them.
 *
 * @throws {AppError} as `addEmployee`
 */
export async function addUnannounced(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { fullName, email, department, position }: NewEmployee,
  { isMailed }: { isMailed: boolean },
): Promise<{ id: string }> {
  const account = {
    ...{ ...splitName(fullName), email, department, passwordHash: null },
    ...(position !== undefined && { position }),
  };
  const { id } = await createEmployeeAccount(tx, services, by, account).catch((error: unknown) => {
    const isTaken = error instanceof AppError && error.code === 'account_exists';
    throw isTaken ? new AppError('email_taken') : error;
  });
  if (isMailed) enqueueMail(tx, { kind: 'choose-password', userId: id });
  return { id };
}
