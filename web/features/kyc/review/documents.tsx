import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { KycDocument } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { KYC_DOCUMENT_LABELS, kycDocumentCan, type KycDocumentType } from '#contract/kyc.ts';
import { DocumentView } from '#web/features/kyc/document-image.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { documentLinkQuery } from './queries.ts';

interface ReviewDocumentsProps {
  /** The expected documents, in the order they are shown. */
  types: readonly KycDocumentType[];
  documents: readonly KycDocument[];
  /** The one that is looked at. */
  selected: KycDocument | undefined;
  onSelect: (document: KycDocument) => void;
  /** Decisions that can be made about the one that is looked at. */
  actions?: ReactNode;
}

/** The documents of an application or a wallet: one large, all of them to choose from. */
export function ReviewDocuments(props: ReviewDocumentsProps) {
  const { types, documents, selected, onSelect, actions } = props;
  return (
    <section className="review-documents" aria-label="Documents">
      {selected === undefined ? (
        <p className="viewer viewer--empty">Nothing has been uploaded.</p>
      ) : (
        <DocumentImage key={selected.id} document={selected} />
      )}
      <ul className="review-documents__choices">
        {types.map((type) => {
          const document = documents.find((one) => one.type === type);
          return (
            <li key={type}>
              {document === undefined ? (
                <span className="review-document">
                  {KYC_DOCUMENT_LABELS[type]}
                  <Status status="not_uploaded" />
                </span>
              ) : (
                <DocumentChoice
                  key={document.version}
                  document={document}
                  isSelected={document.id === selected?.id}
                  onSelect={() => onSelect(document)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {selected !== undefined && (
        <div className="review-document-line">
          <DocumentDates document={selected} />
          {actions}
        </div>
      )}
      {selected !== undefined && selected.rejectionReason !== null && (
        <Notice tone="critical">{selected.rejectionReason}</Notice>
      )}
    </section>
  );
}

interface DocumentChoiceProps {
  document: KycDocument;
  isSelected: boolean;
  onSelect: () => void;
}

/** One of the documents. Once it was decided, it takes the focus that the pressed button had. */
function DocumentChoice({ document, isSelected, onSelect }: DocumentChoiceProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const isFocusLost = window.document.activeElement === window.document.body;
    if (isFocusLost && button.current?.ariaPressed === 'true') button.current.focus();
  }, []);
  return (
    <button
      type="button"
      className="review-document"
      aria-pressed={isSelected}
      onClick={onSelect}
      ref={button}
    >
      {KYC_DOCUMENT_LABELS[document.type]}
      <Status status={document.status} isFinal={document.status === 'approved'} />
    </button>
  );
}

function DocumentImage({ document }: { document: KycDocument }) {
  const isDestroyed = document.fileName === null;
  const link = useQuery({ ...documentLinkQuery(document.id), enabled: !isDestroyed });
  if (!isDestroyed) return <DocumentView document={document} link={link} />;
  return (
    <p className="viewer viewer--empty">
      {KYC_DOCUMENT_LABELS[document.type]}: this image was destroyed at the end of its retention
      period.
    </p>
  );
}

function DocumentDates({ document }: { document: KycDocument }) {
  const { type, issuedOn, uploadedAt, reviewedAt } = document;
  return (
    <p className="meta num">
      {type === 'proof_of_address' &&
        (issuedOn === null
          ? 'Date of issue not given. '
          : `Date of issue ${formatDay(issuedOn, 'date')}. `)}
      Uploaded <Time at={uploadedAt} as="dateTime" />
      {reviewedAt !== null && (
        <>
          , reviewed <Time at={reviewedAt} as="dateTime" />
        </>
      )}
    </p>
  );
}

interface DocumentActionsProps {
  document: KycDocument;
  isPending: boolean;
  /** True if they are the desk's main decision. */
  isMain?: boolean;
  onApprove: () => void;
  onReject: () => void;
}

/** Approve and reject for one document, as far as its status allows. */
export function DocumentActions(props: DocumentActionsProps) {
  const { document, isPending, isMain = false, onApprove, onReject } = props;
  const label = KYC_DOCUMENT_LABELS[document.type];
  return (
    <div className="review-acts">
      {can(kycDocumentCan, 'reject', document.status) && (
        <Button kind="danger" isDisabled={isPending} onPress={onReject}>
          {`Reject ${label}`}
        </Button>
      )}
      {can(kycDocumentCan, 'approve', document.status) && (
        <Button
          kind={isMain ? 'solid' : 'outline'}
          isPending={isPending}
          pendingLabel="Approving"
          onPress={onApprove}
        >
          {`Approve ${label}`}
        </Button>
      )}
    </div>
  );
}
