import { z } from 'zod';
import { done, IMAGE_ERRORS } from './common.ts';
import { idParams } from './values.ts';
import { defineRoute } from './define.ts';

/** Address of a person's picture on this server; null where initials are shown. */
export const avatarUrl = z.string().nullable();

export const avatarRoutes = {
  uploadMyAvatar: defineRoute('POST /api/avatar', {
    summary: 'Set my picture. It is cropped to a square, and the one before is deleted',
    access: 'signedIn',
    upload: 'image',
    hourly: 'uploads',
    reply: z.object({ avatarUrl: z.string() }),
    status: 201,
    errors: [...IMAGE_ERRORS, 'too_many_requests', 'unavailable'],
  }),
  removeMyAvatar: defineRoute('POST /api/avatar/remove', {
    summary: 'Delete my picture',
    access: 'signedIn',
    changes: {},
    mayChange: { owner: ['sessions'], admins: ['people'] },
    reply: done,
  }),
  getAvatar: defineRoute('GET /api/avatars/{id}', {
    summary: 'A picture: my own, or to an admin that of anybody',
    access: 'signedIn',
    params: idParams,
    reply: 'image',
    errors: ['document_not_found'],
  }),
};
