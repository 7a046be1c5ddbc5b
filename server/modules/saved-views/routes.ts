import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { deleteView, listSavedViews, renameView, restoreView, saveView } from './saved-views.ts';

type Names =
  | 'adminListSavedViews'
  | 'adminSaveView'
  | 'adminRenameView'
  | 'adminDeleteView'
  | 'adminRestoreView';

export function savedViewHandlers(services: Pick<Services, 'clock'>): Pick<Handlers, Names> {
  return {
    adminListSavedViews: query((db, { actor }) => listSavedViews(db, actor.id)),
    adminSaveView: command((tx, by, { body }) => saveView(tx, services, by, body)),
    adminRenameView: command((tx, by, { params, body }) =>
      renameView(tx, by, { id: params.id, name: body.name }),
    ),
    adminDeleteView: doneAfter((tx, by, { params }) => deleteView(tx, services, by, params.id)),
    adminRestoreView: command((tx, by, { params }) => restoreView(tx, by, params.id)),
  };
}
