import { Upload as UploadIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KycDocument, Verification } from '#contract/api.ts';
import {
  KYC_DOCUMENT_LABELS,
  WALLET_DOCUMENT_TYPES,
  type WalletDocumentType,
} from '#contract/kyc.ts';
import { DocumentViewer } from '#web/features/kyc/document-image.tsx';
import { IMAGE_ACCEPT, IMAGE_RULE } from '#web/kit/image-check.ts';
import { UploadState, UPLOAD_TOASTS } from '#web/kit/upload-state.tsx';
import { documentTarget } from '#web/features/kyc/document-target.ts';
import { useUpload } from '#web/kit/use-upload.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { IssueDate } from './issue-date.tsx';
import './identity.css';

interface VerificationDocumentsProps {
  verification: Verification;
}

/** The three documents that a wallet is verified by, each with what can be done about it. */
export function VerificationDocuments({ verification }: VerificationDocumentsProps) {
  return (
    <ul className="identity-documents">
      {WALLET_DOCUMENT_TYPES.map((type) => (
        <DocumentRow
          key={type}
          type={type}
          document={verification.documents.find((document) => document.type === type)}
          canUpload={verification.status !== 'verified'}
        />
      ))}
    </ul>
  );
}

/** Requirements of a document, shown while it is not there. */
const HINTS: Record<WalletDocumentType, string> = {
  government_id: 'Passport, driver’s license or national ID',
  proof_of_address: 'Bill or bank statement, not older than 3 months',
  social_security: 'The card, front side',
};

interface DocumentRowProps {
  type: WalletDocumentType;
  document: KycDocument | undefined;
  canUpload: boolean;
}

function DocumentRow({ type, document, canUpload }: DocumentRowProps) {
  const [isViewed, setIsViewed] = useState(false);
  // Chosen, and sent once its date of issue is given.
  const [undated, setUndated] = useState<File>();
  const issuedOn = useRef<string>(undefined);
  const label = KYC_DOCUMENT_LABELS[type];
  const status = document?.status ?? 'not_uploaded';
  const { topic, sendImage } = documentTarget(type);
  const target = {
    topic,
    sendImage: (image: File, onProgress: (share: number) => void) =>
      sendImage(image, onProgress, issuedOn.current),
  };
  const upload = useUpload(target, {
    onUploaded: () =>
      toast({ title: 'Image Uploaded', message: `${label} waits for review.`, tone: 'positive' }),
    ...UPLOAD_TOASTS,
  });
  return (
    <li>
      <div>
        <p>{label}</p>
        <p className="meta num">
          {document === undefined ? (
            HINTS[type]
          ) : (
            <>
              {document.fileName ?? label}
              {document.issuedOn !== null && `, dated ${formatDay(document.issuedOn, 'date')}`},
              uploaded <Time at={document.uploadedAt} as="date" />
            </>
          )}
        </p>
      </div>
      <Status status={status} isFinal={status === 'approved'} />
      <div className="identity-documents__acts">
        {document !== undefined && (
          <Button shape="text" aria-label={`View ${label}`} onPress={() => setIsViewed(true)}>
            View
          </Button>
        )}
        {canUpload && (
          <FileButton
            accept={IMAGE_ACCEPT}
            label={`${document === undefined ? 'Upload' : 'Replace'} ${label}`}
            kind={status === 'rejected' ? 'solid' : 'outline'}
            isDisabled={upload.share !== null}
            onChoose={type === 'proof_of_address' ? setUndated : upload.send}
          >
            <Icon of={UploadIcon} size={16} />
            {document === undefined || status === 'rejected' ? 'Upload' : 'Replace'}
          </FileButton>
        )}
      </div>
      {status === 'rejected' && document?.rejectionReason != null && (
        <div className="identity-documents__wide">
          <Notice tone="critical">
            <p className="strong">{document.rejectionReason}</p>
            <p>Upload another image to have it reviewed again. {IMAGE_RULE}.</p>
          </Notice>
        </div>
      )}
      <div className="identity-documents__wide">
        <UploadState label={label} upload={{ ...upload, problem: null }} />
      </div>
      {undated !== undefined && (
        <IssueDate
          file={undated}
          onGiven={(day) => {
            issuedOn.current = day;
            setUndated(undefined);
            upload.send(undated);
          }}
          onClose={() => setUndated(undefined)}
        />
      )}
      {isViewed && document !== undefined && (
        <DocumentViewer document={document} onClose={() => setIsViewed(false)} />
      )}
    </li>
  );
}
