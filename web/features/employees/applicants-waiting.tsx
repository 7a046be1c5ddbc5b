import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Notice } from '#web/ui/notice.tsx';
import { TextButton } from '#web/ui/text-button.tsx';

/** Number of people who signed up and wait to be accepted. Renders nothing if there are none. */
export function ApplicantsWaiting({ onShow }: { onShow: () => void }) {
  const waiting = useQuery(apiQuery('getShell', {})).data?.waiting?.applicants ?? 0;
  if (waiting === 0) return null;
  return (
    <div className="mb-4">
      <Notice tone="motion">
        <span className="strong">
          {waiting === 1 ? '1 person waits' : `${formatCount(waiting)} people wait`} to be accepted.
        </span>{' '}
        Payroll does not pay them until then. <TextButton onPress={onShow}>Show them</TextButton>
      </Notice>
    </div>
  );
}
