import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { BatchHistory } from '#web/features/payroll/batch-history.tsx';
import { BatchView } from '#web/features/payroll/batch-view.tsx';
import { DraftEditor } from '#web/features/payroll/drafts/draft-editor.tsx';
import { DraftsList } from '#web/features/payroll/drafts/drafts-list.tsx';
import { DueNotice } from '#web/features/payroll/due-notice.tsx';
import { usePayrollForm } from '#web/features/payroll/payroll-form.ts';
import { PaidPeople } from '#web/features/payroll/paid-people.tsx';
import { PayrollStats } from '#web/features/payroll/payroll-stats.tsx';
import { SendPayroll } from '#web/features/payroll/send-payroll.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const NO_LINES_VIEW = { linesSearch: '', linesStatus: 'all', linesPage: 1 } as const;

/**
 * `/admin/payroll`; `?tab=history` lists drafts and batches, `?draft=` and `?batch=` open one, `?tab=paid` lists
 * people.
 */
export function PayrollPage() {
  const { tab, batch, draft } = useSearch({ from: '/admin/admin/payroll' });
  const navigate = useNavigate({ from: '/admin/payroll' });
  const payroll = usePayrollForm();
  const [firstBatch] = useState(batch);
  const shown = tab === 'history' || tab === 'paid' ? tab : 'send';
  const isHistory = shown === 'history';

  function openDraft(id: string): void {
    void navigate({ search: { draft: id } });
  }

  function openHistory(): void {
    void navigate({ search: { tab: 'history' } });
  }

  function batchView(id: string, next: ReactNode) {
    const takesFocus = id !== firstBatch;
    return <BatchView id={id} takesFocus={takesFocus} next={next} onDraft={openDraft} />;
  }

  function sendTab() {
    if (draft !== undefined) {
      return <DraftEditor id={draft} onClose={openHistory} onOpen={openDraft} />;
    }
    if (batch === undefined) {
      return (
        <>
          <DueNotice payroll={payroll} />
          <SendPayroll
            payroll={payroll}
            onDraft={openDraft}
            onReview={(id) =>
              // The typed text is in the draft now, which the question about unsaved work learns with the next render.
              void navigate({
                to: '/admin/payroll/review',
                search: { draft: id },
                ignoreBlocker: true,
              })
            }
            onSaved={openHistory}
          />
        </>
      );
    }
    const sendAnother = () => void navigate({ search: {} });
    return batchView(batch, <Button onPress={sendAnother}>Send another payroll</Button>);
  }

  function historyTab() {
    if (batch !== undefined) {
      const goBack = () =>
        void navigate({ search: ({ batch: _, ...view }) => ({ ...view, ...NO_LINES_VIEW }) });
      return batchView(batch, <Button onPress={goBack}>Back to History</Button>);
    }
    return (
      <div className="section">
        <DraftsList onOpen={openDraft}>
          <BatchHistory
            onOpen={(id) => void navigate({ search: (view) => ({ ...view, batch: id }) })}
          />
        </DraftsList>
      </div>
    );
  }

  return (
    <>
      <ScreenHead />
      <Tabs
        label="Payroll"
        selected={shown}
        onSelect={(chosen) => void navigate({ search: chosen === 'send' ? {} : { tab: chosen } })}
        tabs={[
          {
            id: 'send',
            label: 'Send Payroll',
            content: (
              <>
                <PayrollStats />
                {shown === 'send' && sendTab()}
              </>
            ),
          },
          {
            id: 'history',
            label: 'History',
            content: (
              <>
                <PayrollStats />
                {isHistory && historyTab()}
              </>
            ),
          },
          { id: 'paid', label: 'Who Was Paid', content: shown === 'paid' && <PaidPeople /> },
        ]}
      />
    </>
  );
}
