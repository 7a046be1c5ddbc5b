import type { ApplicationReview, KycDocument } from '#contract/api.ts';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { reviewRail } from './rail.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { APPLICATION_DOCUMENT_TYPES } from '#contract/kyc.ts';
import { notesRule, reasonRule } from '#contract/reasons.ts';
import { problemOf, problemUnlessEmpty } from '#contract/rules.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { Time } from '#web/ui/time.tsx';
import { ReviewBar } from './decision-bar.tsx';
import { ClaimNotice } from './claim.tsx';
import { hasRejectedDocument, isLegal, isUndecided, type DecisionName } from './decisions.ts';
import { DocumentActions, ReviewDocuments } from './documents.tsx';
import { DuplicateSignals } from './duplicates.tsx';
import { ApplicationFacts } from './application-facts.tsx';
import { ReviewFrame, type DeskNavigation } from './desk-frame.tsx';
import { ReviewNotes } from './private-notes.tsx';
import { applicationQuery } from './queries.ts';
import { ReviewQuestion } from './question.tsx';
import { RejectDocument } from './reject-document.tsx';
import { ReplacedDocuments } from './replaced.tsx';
import { UnloadedDesk } from './unloaded-desk.tsx';
import { useDecideApplication, useDecideDocument } from './use-decide.ts';
import { useDraft } from './use-draft.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface DeskProps {
  id: string;
  /** The admin who reviews. */
  viewerId: string;
  navigation: DeskNavigation;
  /** True if single keys act. */
  hasShortcuts: boolean;
}

/** The desk with an application on it. */
export function ReviewApplication(props: DeskProps) {
  const query = useQuery(applicationQuery(props.id));
  if (query.data === undefined) {
    return <UnloadedDesk title="KYC application" query={query} navigation={props.navigation} />;
  }
  return <LoadedApplication {...props} review={query.data} />;
}

/**
 * A decision that is asked about first, with the material as it was then: what changes while the question is
 * open has not been seen by whoever answers it.
 */
type Asking =
  | { decision: Exclude<DecisionName, 'moveToReview'>; version: number }
  | { decision: 'rejectDocument'; document: KycDocument };

function LoadedApplication(props: DeskProps & { review: ApplicationReview }) {
  const { id, review, viewerId, navigation, hasShortcuts } = props;
  const { application, employee, replaced } = review;
  const { status, version, documents, submittedAt } = application;
  const queryClient = useQueryClient();
  const [draft, setDraft] = useDraft(`${viewerId} decision ${id}`);
  const notesField = useRef<HTMLTextAreaElement>(null);
  const [asking, setAsking] = useState<Asking>();
  const [notesError, setNotesError] = useState<string>();
  const [selectedType, setSelectedType] = useState<KycDocument['type']>('id_front');
  const [earlierId, setEarlierId] = useState<string>();
  const close = () => setAsking(undefined);
  const decide = useDecideApplication(id, close);
  const decideDocument = useDecideDocument({ kind: 'application', id }, close);
  const current = documents.find(({ type }) => type === selectedType) ?? documents[0];
  // An earlier image is there to be compared with; it is decided about already.
  const earlier = replaced.find((document) => document.id === earlierId);
  const selected = earlier ?? current;
  const canDecide = isUndecided(status);
  const notes = draft.trim();

  function show(type: KycDocument['type']): void {
    setSelectedType(type);
    setEarlierId(undefined);
  }

  function note(text: string): void {
    setNotesError(undefined);
    setDraft(text);
  }

  /** A rejection needs its reason first, and notes of an approval can be sent as they are. */
  function ask(decision: 'reject' | 'approve'): void {
    const problem =
      decision === 'reject' ? problemOf(reasonRule, notes) : problemUnlessEmpty(notesRule, notes);
    setNotesError(problem);
    if (problem === undefined) setAsking({ decision, version });
    else notesField.current?.focus();
  }

  function start(decision: DecisionName): void {
    if (!canDecide || !isLegal(decision, status)) return;
    if (decision === 'approve' && hasRejectedDocument(application)) return;
    // Gaps found for another decision do not count for this one.
    setNotesError(undefined);
    if (decision === 'moveToReview') decide.mutate({ version, decision: { action: decision } });
    else if (decision === 'reject' || decision === 'approve') ask(decision);
    else setAsking({ decision, version });
  }

  useShortcuts(
    hasShortcuts
      ? {
          a: () => start('approve'),
          r: () => start('reject'),
          '1': () => show('id_front'),
          '2': () => show('id_back'),
        }
      : {},
  );

  return (
    <ReviewFrame
      title={employee.name}
      subtitle={
        <>
          <EmployeeLink employee={employee} />, {employee.email}, submitted{' '}
          {submittedAt === null ? 'never' : <Time at={submittedAt} as="dateTime" />}.{' '}
          <AuditLink thing="identity" person={employee.id} />
        </>
      }
      status={status}
      navigation={navigation}
      foot={
        <ReviewBar
          review={review}
          notes={draft}
          notesError={notesError}
          onNotes={note}
          notesRef={notesField}
          pending={decide.isPending ? decide.variables.decision.action : undefined}
          onDecide={start}
        />
      }
    >
      <div className="review-columns">
        <div className="review-material">
          {isUndecided(status) && <ClaimNotice id={id} />}
          <NameNotice review={review} />
          <DuplicateSignals duplicates={review.duplicates} />
          <ReviewDocuments
            types={APPLICATION_DOCUMENT_TYPES}
            documents={documents}
            selected={selected}
            onSelect={({ type }) => show(type)}
            actions={
              canDecide &&
              current !== undefined &&
              current === selected && (
                <DocumentActions
                  document={current}
                  isPending={decideDocument.isPending}
                  onApprove={() => decideDocument.mutate({ document: current })}
                  onReject={() => setAsking({ decision: 'rejectDocument', document: current })}
                />
              )
            }
          />
        </div>
        <div className="review-facts">
          <ApplicationFacts application={application} />
        </div>
        <div className="review-trail">
          <ApplicationTrail application={application} />
          <ReplacedDocuments replaced={replaced} onShow={setEarlierId} />
          <ReviewNotes
            id={id}
            viewerId={viewerId}
            notes={review.notes}
            onAdded={(added) =>
              queryClient.setQueryData(applicationQuery(id).queryKey, { ...review, notes: added })
            }
          />
        </div>
      </div>
      {asking?.decision === 'rejectDocument' && (
        <RejectDocument
          kind="application"
          document={asking.document}
          isPending={decideDocument.isPending}
          refusal={decideDocument.refusal}
          onConfirm={(reason) => decideDocument.mutate({ document: asking.document, reason })}
          onClose={() => {
            decideDocument.reset();
            close();
          }}
        />
      )}
      {asking !== undefined && asking.decision !== 'rejectDocument' && (
        <ReviewQuestion
          decision={asking.decision}
          applicant={employee.name}
          notes={notes}
          isPending={decide.isPending}
          refusal={decide.refusal}
          onConfirm={(decision) =>
            decide.mutate({ version: asking.version, decision }, { onSuccess: () => setDraft('') })
          }
          onClose={() => {
            decide.reset();
            close();
          }}
        />
      )}
    </ReviewFrame>
  );
}

/** Both names where the account has another one than the application; nothing where they are equal. */
function NameNotice({
  review: { nameMatch, employee, application },
}: {
  review: Pick<ApplicationReview, 'nameMatch' | 'employee' | 'application'>;
}) {
  if (nameMatch === null || nameMatch === 'equal') return null;
  return (
    <Notice tone="caution">
      <p className="strong">
        {nameMatch === 'similar'
          ? 'The name is similar to the one of the account'
          : 'The name differs from the one of the account'}
      </p>
      <p>
        The account is {employee.name}&rsquo;s; the application says {application.answers.fullName}.
      </p>
    </Notice>
  );
}

interface ApplicationTrailProps {
  application: ApplicationReview['application'];
}

/** The steps of an application so far, and the corrections that were asked for. */
function ApplicationTrail({ application }: ApplicationTrailProps) {
  return (
    <section className="review-history">
      <h3 className="review-title">Actions history</h3>
      <DatedRail label="Actions history" steps={reviewRail(application)} />
    </section>
  );
}
