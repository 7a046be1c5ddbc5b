import { createContext, useContext } from 'react';
import { addressOf } from '#web/api/client.ts';

/** Addresses of the documents that are listed: the person's own, or those of another that an admin reads. */
export interface DocumentsPlace {
  /** The screen that shows a document; `isPrinted` opens the printing dialog there. */
  screen: (id: string, isPrinted?: boolean) => string;
  /** The document as PDF. */
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
