import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ToastCard } from '#web/ui/toast.tsx';
import { toast, type ToastMessage } from '#web/ui/toast-queue.ts';

export function NoticeStates() {
  return (
    <div className="gallery__stack">
      <Notice tone="caution">2 employees have no Salary Wallet account and will be skipped.</Notice>
      <Notice tone="critical">
        <p className="strong">Your application was rejected</p>
        <p>The picture of the document is blurred. Send a sharper one.</p>
      </Notice>
      <Notice tone="motion">Under Review. We reply within 1–2 business days.</Notice>
      <Notice tone="positive">Your identity is verified.</Notice>
    </div>
  );
}

const messages: ToastMessage[] = [
  {
    title: 'Withdrawal Submitted',
    message: '$320.00 to Cascade Federal ••2208.',
    tone: 'positive',
  },
  {
    title: 'Payroll Processing Failed',
    message: 'There was an error processing the payroll.',
    tone: 'critical',
  },
  { title: 'Copied!' },
];

export function ToastStates() {
  return (
    <div className="gallery__stack">
      {messages.map(({ title, message, tone = 'neutral' }, index) => (
        <ToastCard key={title} toast={{ id: -index, title, message, tone }} />
      ))}
      <div className="gallery__row">
        {messages.map((message) => (
          <Button key={message.title} onPress={() => toast(message)}>
            {`Show “${message.title}”`}
          </Button>
        ))}
      </div>
    </div>
  );
}

export function EmptyLoadingErrorStates() {
  return (
    <div className="gallery__states">
      <div>
        <EmptyState
          title="No transactions found"
          hint="Try adjusting your search or filter criteria."
        />
      </div>
      <div>
        <Skeleton />
      </div>
      <div>
        <ErrorState
          title="Error Loading Transactions"
          message="Failed to load transaction history. Please try again."
          onRetry={() => toast({ title: 'Trying again' })}
        />
      </div>
    </div>
  );
}
