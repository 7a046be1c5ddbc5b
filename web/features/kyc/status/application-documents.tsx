import { Download, Upload } from 'lucide-react';
import { useState } from 'react';
import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { DocumentViewer } from '#web/features/kyc/document-image.tsx';
import { fileSize } from '#web/kit/file-size.ts';
import { useDownload } from '#web/features/kyc/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import './identity.css';

interface ApplicationDocumentsProps {
  documents: readonly KycDocument[];
  /** Address of the step at which documents can be uploaded now; undefined where none can be. */
  uploadAt: string | undefined;
}

/** All documents of the person: what they are, how they stand, and ways to see and keep them. */
export function ApplicationDocuments({ documents, uploadAt }: ApplicationDocumentsProps) {
  const upload = uploadAt !== undefined && (
    <LinkButton href={uploadAt}>
      <Icon of={Upload} size={16} />
      Upload Documents
    </LinkButton>
  );
  return (
    <Section title="Uploaded Documents" end={upload}>
      {documents.length === 0 ? (
        <EmptyState
          title="No documents uploaded"
          hint="Upload your documents to get started with verification"
        />
      ) : (
        <ul className="identity-documents identity-documents--ruled">
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function DocumentRow({ document }: { document: KycDocument }) {
  const download = useDownload();
  const [isViewed, setIsViewed] = useState(false);
  const label = KYC_DOCUMENT_LABELS[document.type];
  return (
    <li>
      <div>
        <p>{label}</p>
        <p className="meta num">
          {document.fileName}, {fileSize(document.byteSize)}, uploaded{' '}
          <Time at={document.uploadedAt} as="date" />
        </p>
      </div>
      <Status status={document.status} isFinal={document.status === 'approved'} />
      <div className="identity-documents__acts">
        <Button shape="text" aria-label={`View ${label}`} onPress={() => setIsViewed(true)}>
          View
        </Button>
        <Button
          shape="text"
          aria-label={`Download ${label}`}
          isPending={download.isPending}
          onPress={() => download.mutate(document)}
        >
          <Icon of={Download} size={16} />
          Download
        </Button>
      </div>
      {document.rejectionReason !== null && (
        <p className="identity-documents__reason">{document.rejectionReason}</p>
      )}
      {isViewed && <DocumentViewer document={document} onClose={() => setIsViewed(false)} />}
    </li>
  );
}
