import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { KycDocument } from '#contract/api.ts';
import { DOCUMENT_LINK_LIFE_S, KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ImageViewer } from '#web/ui/image-viewer.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';

/** A signed link to one of the person's documents; asked for again well before it ends. */
export function useDocumentLink(id: string) {
  return useQuery({
    ...apiQuery('createDocumentLink', { params: { id } }),
    staleTime: (DOCUMENT_LINK_LIFE_S / 2) * 1_000,
    gcTime: (DOCUMENT_LINK_LIFE_S / 2) * 1_000,
  });
}

/** An uploaded document, small. */
export function DocumentImage({ document }: { document: KycDocument }) {
  const link = useDocumentLink(document.id);
  if (link.data === undefined) return link.isError ? null : <SkeletonBar />;
  const { width, height, type } = document;
  return (
    <img
      className="document-image"
      src={link.data.url}
      width={width}
      height={height}
      alt={KYC_DOCUMENT_LABELS[type]}
    />
  );
}

interface DocumentViewProps {
  document: KycDocument;
  /** Signed link to its image. */
  link: UseQueryResult<{ url: string }>;
}

/** A document, to be looked at closely. */
export function DocumentView({ document, link }: DocumentViewProps) {
  return (
    <ImageViewer
      label={KYC_DOCUMENT_LABELS[document.type]}
      src={link.data?.url}
      size={document}
      caption={document.fileName}
      error={link.isError ? errorMessage(link.error, 'Please try again.') : undefined}
      onRetry={() => void link.refetch()}
    />
  );
}

interface DocumentViewerProps {
  document: KycDocument;
  onClose: () => void;
}

/** One of the person's documents, to be looked at closely. */
export function DocumentViewer({ document, onClose }: DocumentViewerProps) {
  const link = useDocumentLink(document.id);
  return (
    <Dialog title={KYC_DOCUMENT_LABELS[document.type]} onClose={onClose}>
      <DocumentView document={document} link={link} />
    </Dialog>
  );
}
