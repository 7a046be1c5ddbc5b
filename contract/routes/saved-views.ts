import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { SEARCH_MAX_LENGTH } from '../limits.ts';
import { readSavedView, savedViewRules, VIEWED_LIST_IDS, VIEWED_LISTS } from '../saved-views.ts';
import { done } from './common.ts';
import { id, idParams, textOf } from './values.ts';
import { defineRoute } from './define.ts';

const list = namedEnum('ViewedList', VIEWED_LIST_IDS);
const words = z.record(z.string().max(40), z.string().max(SEARCH_MAX_LENGTH));
const name = textOf(savedViewRules.name);

const savedView = namedObject('SavedView', {
  id,
  /** The operation that lists. */
  list,
  name: z.string(),
  /** Its filters and its order, as the operation takes them. */
  view: words,
  /** True if a part of it is no longer valid and was left out of `view`. */
  isPartial: z.boolean(),
});

export const savedViewRoutes = {
  adminListSavedViews: defineRoute('GET /api/admin/saved-views', {
    summary: 'The views of lists that I keep, by name',
    access: 'admin',
    topics: ['saved-views'],
    reply: z.object({ items: z.array(savedView) }),
  }),
  adminSaveView: defineRoute('POST /api/admin/saved-views', {
    summary: 'Keep a view of a list under a name: its filters, search and order',
    access: 'admin',
    changes: { owner: ['saved-views'] },
    body: z.object({ list, name, view: words }).superRefine((body, context) => {
      if (!readSavedView(VIEWED_LISTS[body.list], body.view).isWhole) {
        context.addIssue({
          code: 'custom',
          path: ['view'],
          message: 'This list has no such filter or order',
        });
      }
    }),
    reply: savedView,
    status: 201,
    errors: ['saved_view_limit', 'saved_view_name_taken'],
  }),
  adminRenameView: defineRoute('PUT /api/admin/saved-views/{id}/name', {
    summary: 'Rename one of the views that I keep',
    access: 'admin',
    changes: { owner: ['saved-views'] },
    params: idParams,
    body: namedObject('NameBody', { name }),
    reply: savedView,
    errors: ['saved_view_not_found', 'saved_view_name_taken'],
  }),
  adminDeleteView: defineRoute('DELETE /api/admin/saved-views/{id}', {
    summary: 'Delete one of the views that I keep; for a day it can be restored',
    access: 'admin',
    changes: { owner: ['saved-views'] },
    params: idParams,
    reply: done,
    errors: ['saved_view_not_found'],
  }),
  adminRestoreView: defineRoute('POST /api/admin/saved-views/{id}/restore', {
    summary: 'Undo the deletion of one of the views that I kept',
    access: 'admin',
    changes: { owner: ['saved-views'] },
    params: idParams,
    reply: savedView,
    errors: ['saved_view_not_found', 'saved_view_limit', 'saved_view_name_taken'],
  }),
};
