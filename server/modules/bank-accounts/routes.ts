import type { bankAccountRoutes } from '#contract/routes/bank-accounts.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { exportOf, readThingScope } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { bankAccountActs } from './acts.ts';
import { adminBankAccounts } from './admin-list.ts';
import { addBankAccount } from './add-bank-account.ts';
import { enterBankAccount } from './enter-bank-account.ts';
import { enterMicroDeposits } from './enter-micro-deposits.ts';
import { lookUpRoutingNumber } from './look-up-routing-number.ts';
import { getAdminBankAccount, listBankAccounts } from './queries.ts';
import { adminRevealBankAccount, revealBankAccount } from './reveal-bank-account.ts';
import { updateBankAccount } from './update-bank-account.ts';

export function bankAccountHandlers(
  services: Services,
): Pick<Handlers, keyof typeof bankAccountRoutes> {
  return {
    listBankAccounts: query((db, { actor }) =>
      listBankAccounts(db, services, { actor, as: 'owner' }, actor.id),
    ),
    addBankAccount: command((tx, by, { body }) => addBankAccount(tx, services, by, body)),
    updateBankAccount: command((tx, by, { params, body }) =>
      updateBankAccount(tx, services, by, { id: params.id, change: body }),
    ),
    enterMicroDeposits: command((tx, by, { params, body }) =>
      enterMicroDeposits(tx, services, by, { ...params, ...body }),
    ),
    revealBankAccount: command((tx, by, { params }) =>
      revealBankAccount(tx, services, by, params.id),
    ),
    lookUpRoutingNumber: query((db, _context, { params }) =>
      lookUpRoutingNumber(db, params.routingNumber),
    ),
    ...listHandlers(
      adminBankAccounts,
      readThingScope(services),
      exportOf(services, 'bank-accounts'),
    ),
    adminGetBankAccount: query((db, by, { params }) =>
      getAdminBankAccount(db, services, by, params.id),
    ),
    adminEnterBankAccount: command((tx, by, { params, body }) =>
      enterBankAccount(tx, services, by, { personId: params.id, account: body }),
    ),
    ...bankAccountActs.handlers(services),
    adminRevealBankAccount: command((tx, by, { params }) =>
      adminRevealBankAccount(tx, services, by, params.id),
    ),
  };
}
