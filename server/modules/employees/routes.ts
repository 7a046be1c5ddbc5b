import { command } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { addEmployee } from './add-employee.ts';

/** How employees join. */
export function employeeHandlers(
  services: Services,
  { confirmsEmail }: Pick<Identity, 'confirmsEmail'>,
): Pick<Handlers, 'adminAddEmployee'> {
  return {
    adminAddEmployee: command((tx, by, { body }) =>
      addEmployee(tx, services, by, body, { isMailed: confirmsEmail }),
    ),
  };
}
