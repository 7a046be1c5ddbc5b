import type { PayrollPreview } from '#contract/api.ts';
import { ApiError } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
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
import type { PreviewState } from './use-preview.ts';
import { DEPARTMENT_LABELS } from './words.ts';

interface PreviewSheetProps {
  formId: string;
  order: PayrollOrder | null;
  state: PreviewState;
  /** The server refused the last attempt because the company changed since the preview. */
  isStale: boolean;
}

const PREVIEW_FAILED = 'The preview could not be made.';

/** What sending would do: total, people, who is left out, and the button with the total. */
export function PreviewSheet({ formId, order, state, isStale }: PreviewSheetProps) {
  return (
    <section className="sheet preview" aria-labelledby={`${formId}-preview`}>
      <PreviewHead id={`${formId}-preview`} order={order} preview={state.preview} />
      <ScrollBox label="Who is paid and who is skipped" className="preview__body">
        <div aria-busy={state.isUpdating}>
          {isStale && (
            <div className="preview__warning">
              <Notice tone="caution" role="alert">
                The employees or their accounts changed since the preview. Please review it again.
              </Notice>
            </div>
          )}
          <PreviewBody order={order} state={state} />
        </div>
      </ScrollBox>
      <div className="preview__foot">
        <p className="meta">Money reaches wallets at once. A sent batch cannot be recalled.</p>
        <SendButton formId={formId} order={order} state={state} />
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
    <div className="preview__head">
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

function PreviewBody({ order, state }: Pick<PreviewSheetProps, 'order' | 'state'>) {
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
      <PreviewTables preview={preview} walletType={order.walletType} />
    </div>
  );
}

/** With fields missing it stays pressable, because pressing it says which. */
function SendButton({ formId, order, state }: Omit<PreviewSheetProps, 'isStale'>) {
  const { preview, error, isUpdating } = state;
  return (
    <Button kind="money" type="submit" form={formId} why={reasonToWait(order, state)}>
      Send Payroll
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
