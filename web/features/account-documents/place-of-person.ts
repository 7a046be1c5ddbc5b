import { addressOf } from '#web/api/client.ts';
import type { DocumentsPlace } from './place.ts';

/** Address of a person's payslips and statements in the back office. */
export function documentsOfPerson(personId: string): string {
  return `/admin/employees/${personId}/documents`;
}

/** Addresses of a person's documents for an admin who reads them. */
export function placeOfPerson(personId: string): DocumentsPlace {
  return {
    screen: (id, isPrinted = false) =>
      `${documentsOfPerson(personId)}/${encodeURIComponent(id)}${isPrinted ? '?print=yes' : ''}`,
    pdf: (document) =>
      addressOf('adminDownloadAccountDocument', { params: { id: personId, document } }),
  };
}
