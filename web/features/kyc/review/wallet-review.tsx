import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KycDocument, VerificationReview } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { isWaiting, kycDocumentCan, WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import type { DeskProps } from './application-review.tsx';
import { ClaimNotice } from './claim.tsx';
import { DocumentActions, ReviewDocuments } from './documents.tsx';
import { DuplicateSignals } from './duplicates.tsx';
import { ReviewFrame } from './desk-frame.tsx';
import { ReviewNotes } from './private-notes.tsx';
import { verificationQuery } from './queries.ts';
import { RejectDocument } from './reject-document.tsx';
import { ReplacedDocuments } from './replaced.tsx';
import { UnloadedDesk } from './unloaded-desk.tsx';
import { useDecideDocument } from './use-decide.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** The desk with a person's wallet documents on it; each is decided for itself. */
export function ReviewWallet(props: DeskProps) {
  const query = useQuery(verificationQuery(props.id));
  if (query.data === undefined) {
    return <UnloadedDesk title="Wallet documents" query={query} navigation={props.navigation} />;
  }
  return <LoadedWallet {...props} review={query.data} />;
}

function LoadedWallet(props: DeskProps & { review: VerificationReview }) {
  const { id, review, viewerId, navigation, hasShortcuts } = props;
  const { verification, employee, replaced } = review;
  const { documents } = verification;
  const queryClient = useQueryClient();
  // As it was when the question was asked.
  const [rejecting, setRejecting] = useState<KycDocument>();
  const [selectedId, setSelectedId] = useState<string>();
  const decide = useDecideDocument({ kind: 'documents', id }, () => setRejecting(undefined));
  const selected =
    [...documents, ...replaced].find((document) => document.id === selectedId) ??
    firstToReview(documents);
  const waits = isWaiting(review.status);
  // An earlier image is there to be compared with; it is decided about already.
  const canDecide = selected !== undefined && documents.includes(selected);

  function approve(): void {
    if (canDecide && can(kycDocumentCan, 'approve', selected.status) && !decide.isPending) {
      decide.mutate({ document: selected });
    }
  }

  function reject(): void {
    if (canDecide && can(kycDocumentCan, 'reject', selected.status)) setRejecting(selected);
  }

  function show(place: number): void {
    const type = WALLET_DOCUMENT_TYPES[place];
    setSelectedId((current) => documents.find((one) => one.type === type)?.id ?? current);
  }

  useShortcuts(
    hasShortcuts
      ? { a: approve, r: reject, '1': () => show(0), '2': () => show(1), '3': () => show(2) }
      : {},
  );

  return (
    <ReviewFrame
      title={employee.name}
      subtitle={
        <>
          <EmployeeLink employee={employee} />, {employee.email}, wallet documents.{' '}
          <AuditLink thing="identity" person={employee.id} />
        </>
      }
      status={review.status ?? undefined}
      navigation={navigation}
      foot={
        canDecide ? (
          <DocumentActions
            isMain
            document={selected}
            isPending={decide.isPending}
            onApprove={approve}
            onReject={reject}
          />
        ) : (
          <p className="muted">Choose a current document to decide on it.</p>
        )
      }
    >
      <div className="review-columns">
        <div className="review-material">
          {waits && <ClaimNotice id={id} />}
          <DuplicateSignals duplicates={review.duplicates} />
          <ReviewDocuments
            types={WALLET_DOCUMENT_TYPES}
            documents={documents}
            selected={selected}
            onSelect={(document) => setSelectedId(document.id)}
          />
        </div>
        <div className="review-facts">
          <section className="review-group">
            <h3>Wallet verification</h3>
            <Facts isTight facts={verificationFacts(review)} />
          </section>
          <ReplacedDocuments replaced={replaced} onShow={setSelectedId} />
          <ReviewNotes
            id={id}
            viewerId={viewerId}
            notes={review.notes}
            onAdded={(added) =>
              queryClient.setQueryData(verificationQuery(id).queryKey, { ...review, notes: added })
            }
          />
        </div>
      </div>
      {rejecting !== undefined && (
        <RejectDocument
          kind="documents"
          document={rejecting}
          isPending={decide.isPending}
          refusal={decide.refusal}
          onConfirm={(reason) => decide.mutate({ document: rejecting, reason })}
          onClose={() => {
            decide.reset();
            setRejecting(undefined);
          }}
        />
      )}
    </ReviewFrame>
  );
}

/** The first that waits for a decision, in the order they are shown; else the first. */
function firstToReview(documents: readonly KycDocument[]): KycDocument | undefined {
  const inOrder = WALLET_DOCUMENT_TYPES.flatMap((type) =>
    documents.filter((document) => document.type === type),
  );
  return (
    inOrder.find(({ status }) => status === 'pending' || status === 'under_review') ?? inOrder[0]
  );
}

function verificationFacts({ verification, employee }: VerificationReview): Fact[] {
  const { status, documents, completionPercentage, submittedAt, rejectionReason } = verification;
  const facts: Fact[] = [
    { label: 'Status', value: <Status status={status} /> },
    {
      label: 'Uploaded',
      value: `${documents.length} of ${WALLET_DOCUMENT_TYPES.length} documents (${completionPercentage}%)`,
    },
  ];
  if (employee.employeeId !== null) {
    facts.unshift({ label: 'Employee', value: employee.employeeId });
  }
  if (submittedAt !== null) {
    facts.push({ label: 'Submitted', value: <Time at={submittedAt} as="dateTime" /> });
  }
  if (rejectionReason !== null) facts.push({ label: 'Rejected', value: rejectionReason });
  return facts;
}
