import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { errorMessage } from '#web/api/query.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ImageViewer } from '#web/ui/image-viewer.tsx';
import { useDocumentLink } from './document-image.tsx';

interface DocumentViewerProps {
  document: KycDocument;
  onClose: () => void;
}

/** One of the person's documents, to be looked at closely. */
export function DocumentViewer({ document, onClose }: DocumentViewerProps) {
  const link = useDocumentLink(document.id);
  const label = KYC_DOCUMENT_LABELS[document.type];
  return (
    <Dialog title={label} isOpen onClose={onClose}>
      <ImageViewer
        label={label}
        src={link.data?.url}
        size={document}
        caption={document.fileName}
        error={link.isError ? errorMessage(link.error, 'Please try again.') : undefined}
        onRetry={() => void link.refetch()}
      />
    </Dialog>
  );
}
