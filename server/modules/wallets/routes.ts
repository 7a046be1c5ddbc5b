import type { Handlers } from '#server/http/handlers.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { closeWallet } from './close-wallet.ts';
import { openFurtherWallet, openWalletForEmployee } from './open-further-wallet.ts';
import { listWallets } from './queries.ts';
import { revealWallet } from './reveal-wallet.ts';
import { totalOwed } from './total-owed.ts';

export function walletHandlers(
  services: Services,
): Pick<
  Handlers,
  | 'listWallets'
  | 'revealWallet'
  | 'openFurtherWallet'
  | 'adminGetOwed'
  | 'adminOpenWallet'
  | 'adminCloseWallet'
> {
  return {
    listWallets: query((db, { actor }) => listWallets(db, actor.id)),
    adminGetOwed: query((db) => totalOwed(db)),
    openFurtherWallet: command((tx, by, { body }) => openFurtherWallet(tx, services, by, body)),
    adminOpenWallet: command((tx, by, { params, body }) =>
      openWalletForEmployee(tx, services, by, { userId: params.id, type: body.type }),
    ),
    adminCloseWallet: doneAfter((tx, by, { params, body }) =>
      closeWallet(tx, services, by, { userId: params.id, type: body.type }),
    ),
    revealWallet: command((tx, by, { params }) => revealWallet(tx, services, by, params.id)),
  };
}
