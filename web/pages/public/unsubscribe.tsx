import { useSearch } from '@tanstack/react-router';
import { Unsubscribe } from '#web/features/notifications/unsubscribe.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

/** `/unsubscribe?token=`: where a mail leads whose reader wants no more of them. */
export function UnsubscribePage() {
  const { token = '' } = useSearch({ from: '/unsubscribe' });
  return (
    <main className="lone">
      <Wordmark href="/" />
      <div className="lone__task">
        <Unsubscribe token={token} />
      </div>
    </main>
  );
}
