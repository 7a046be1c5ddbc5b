import { createContext, useContext } from 'react';
import { addressOf } from '#web/api/client.ts';

/**
 * Addresses of the listed documents: the caller's own, or those of a person whom an admin looks at.
 */
export interface DocumentsPlace {
  /** Address of a document's screen. `isPrinted` opens the print dialog there. */
  screen: (id: string, isPrinted?: boolean) => string;
  /** Address of the document as PDF. */
  pdf: (id: string) => string;
}

const OWN: DocumentsPlace = {
  screen: (id, isPrinted = false) =>
    `/employee/documents/${encodeURIComponent(id)}${isPrinted ? '?print=yes' : ''}`,
  pdf: (id) => addressOf('downloadAccountDocument', { params: { id } }),
};

export const DocumentsPlaceContext = createContext<DocumentsPlace>(OWN);

export function useDocumentsPlace(): DocumentsPlace {
  return useContext(DocumentsPlaceContext);
}
