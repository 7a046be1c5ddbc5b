import type { AddedEmployee, RouteArguments } from '#contract/api.ts';
import { splitName } from '#contract/people.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { theOne } from '#server/modules/identity/index.ts';
import type { CreatedAccount } from '#server/modules/identity/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { createEmployeeAccounts } from './create-employee-account.ts';

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
  const { id } = theOne(await addUnannounced(tx, services, by, [employee], { isMailed }));
  const { employeeNumber } = await tx
    .selectFrom('appUser')
    .select('employeeNumber')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { accounts } = await listWallets(tx, id);
  const wallet = invariant(accounts[0], 'a salary wallet opens with every employee');
  return {
    id,
    name: fullName,
    email,
    department,
    isMailed,
    employeeId: employeeNumber,
    account: { name: wallet.name, last4: wallet.accountNumberLast4 },
  };
}

/**
 * The change itself, for many people: nothing is presented, and the caller publishes `people` once for
 * all of them.
 *
 * @returns one for each employee, in their order; the refusals are those of `addEmployee`
 */
export async function addUnannounced(
  tx: Tx,
  services: Services,
  by: CommandContext,
  employees: readonly NewEmployee[],
  { isMailed }: { isMailed: boolean },
): Promise<CreatedAccount[]> {
  const accounts = employees.map(({ fullName, email, department, position }) => ({
    ...splitName(fullName),
    email,
    department,
    passwordHash: null,
    ...(position !== undefined && { position }),
  }));
  const created = await createEmployeeAccounts(tx, services, by, accounts);
  return created.map((one) => {
    if ('refusal' in one) {
      const isTaken = one.refusal.code === 'account_exists';
      return isTaken ? { refusal: new AppError('email_taken') } : one;
    }
    if (isMailed) enqueueMail(tx, { kind: 'choose-password', userId: one.id });
    return one;
  });
}
