import { useState, type ReactNode } from 'react';
import type { PayrollPreview } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { ApiError } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScrollBox } from '#web/ui/scroll-box.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { PayrollOrder } from './payroll-form.ts';
import { PreviewTables } from './preview-tables.tsx';
import { SentBefore } from './sent-notices.tsx';
import type { PreviewState } from './use-preview.ts';
import { DEPARTMENT_LABELS, sendingWords } from './words.ts';
import './payroll.css';

interface PreviewSheetProps {
  formId: string;
  order: PayrollOrder | null;
  state: PreviewState;
  /** True while its draft is made. */
  isPending: boolean;
  /** Another way to keep the order, before the button that reviews it. */
  otherwise: ReactNode;
}

const PREVIEW_FAILED = 'The preview could not be made.';

/** Preview of an order: total, people, exclusions, and the button that leads to the review. */
export function PreviewSheet({ formId, ...props }: PreviewSheetProps) {
  const { order, state, isPending, otherwise } = props;
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  return (
    <section className="sheet preview" aria-labelledby={`${formId}-preview`}>
      <PreviewHead id={`${formId}-preview`} order={order} preview={state.preview} />
      <ScrollBox label="Who is paid and who is skipped" className="preview__body">
        <div aria-busy={state.isUpdating}>
          <PreviewBody order={order} state={state} />
        </div>
      </ScrollBox>
      <div className="spread preview__foot">
        <p className="meta">{sendingWords(state.preview, order?.payOn, today)}</p>
        <div className="batch__actions">
          {otherwise}
          <ReviewButton {...{ formId, order, state, isPending }} />
        </div>
      </div>
    </section>
  );
}

interface PreviewHeadProps {
  id: string;
  order: PayrollOrder | null;
  preview: PayrollPreview | undefined;
}

function PreviewHead({ id, order, preview }: PreviewHeadProps) {
  return (
    <div className="sheet__head sheet__head--tall preview__head">
      <div>
        <h2 className="section-title" id={id}>
          Preview
        </h2>
        {preview !== undefined && <Balance amount={preview.total} />}
      </div>
      {preview !== undefined && order !== null && (
        <p className="preview__count muted num" role="status">
          {`${preview.payableCount} of ${preview.employeeCount} in ${DEPARTMENT_LABELS[order.department]}`}
          {preview.skippedCount > 0 && (
            <span className="preview__skipped">{`${preview.skippedCount} will be skipped`}</span>
          )}
        </p>
      )}
    </div>
  );
}

type PreviewBodyProps = Pick<PreviewSheetProps, 'order' | 'state'>;

function PreviewBody({ order, state }: PreviewBodyProps) {
  const { preview, error, isUpdating, refresh } = state;
  if (order === null) {
    return (
      <EmptyState
        title="No preview yet"
        hint="Fill in the form to see who will be paid and who will be skipped."
      />
    );
  }
  if (error instanceof ApiError) {
    return (
      <div className="preview__warning">
        <Notice tone="critical" role="alert">
          {error.message}
        </Notice>
      </div>
    );
  }
  if (error !== null) {
    return (
      <ErrorState
        title={PREVIEW_FAILED}
        message={errorMessage(error, 'Please try again.')}
        onRetry={refresh}
        isRetrying={isUpdating}
      />
    );
  }
  if (preview === undefined) return <Skeleton lines={6} label="Making the preview" />;
  return (
    <div className={classNames(isUpdating && 'preview__updating')}>
      {preview.recentBatch !== null && (
        <div className="preview__warning">
          <SentBefore batch={preview.recentBatch} />
        </div>
      )}
      <PreviewTables preview={preview} walletType={order.walletType} />
    </div>
  );
}

type ReviewButtonProps = Pick<PreviewSheetProps, 'formId' | 'order' | 'state' | 'isPending'>;

/** The button stays enabled if fields are missing, because pressing it says which ones. */
function ReviewButton({ formId, order, state, isPending }: ReviewButtonProps) {
  const { preview, error, isUpdating } = state;
  return (
    <Button
      kind="money"
      type="submit"
      form={formId}
      isPending={isPending}
      pendingLabel="Saving"
      why={reasonToWait(order, state)}
    >
      Review Payroll
      {order !== null && preview !== undefined && error === null && !isUpdating && (
        <Money amount={preview.total} />
      )}
    </Button>
  );
}

function reasonToWait(order: PayrollOrder | null, state: PreviewState): string | undefined {
  if (order === null) return undefined;
  if (state.error !== null) return errorMessage(state.error, PREVIEW_FAILED);
  return state.isUpdating || state.preview === undefined ? 'Making the preview' : undefined;
}
