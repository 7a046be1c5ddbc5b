import { z } from 'zod';
import { done } from './common.ts';
import { idParams, reason } from './values.ts';
import { defineRoute } from './define.ts';

export const securityRoutes = {
  freezePayouts: defineRoute('POST /api/security/freeze-payouts', {
    summary: 'This was not me: no money of mine leaves until an admin has looked',
    access: 'employee',
    changes: { owner: ['sessions', 'payments'], admins: ['people'] },
    reply: done,
  }),
  adminReleasePayouts: defineRoute('POST /api/admin/people/{id}/release-payouts', {
    summary: 'Let the money of a person leave again, with a reason',
    access: 'admin',
    confirms: 'recent',
    changes: { owner: ['sessions', 'payments'], admins: ['people'] },
    params: idParams,
    body: z.object({ reason }),
    reply: done,
    errors: ['person_not_found', 'payouts_not_frozen', 'own_account'],
  }),
};
