import { Check, TriangleAlert } from 'lucide-react';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useMoments } from '#web/ui/time.tsx';
import type { SaveState } from './autosave.ts';

interface SaveLineProps {
  state: SaveState;
}

/** In the top bar: whether what was typed is kept. */
export function SaveLine({ state }: SaveLineProps) {
  return (
    <span className="saved num" role="status">
      <Content state={state} />
    </span>
  );
}

function Content({ state: { status, savedAt, hasUnsaved } }: SaveLineProps) {
  const write = useMoments();
  if (status === 'saving' || status === 'waiting') {
    return (
      <>
        <Spinner />
        Saving...
      </>
    );
  }
  if (status === 'retrying' || status === 'conflict') {
    return (
      <>
        <Icon of={TriangleAlert} size={16} />
        {status === 'retrying' ? 'Not saved yet, retrying' : 'Not saved'}
      </>
    );
  }
  // Half a date, a phone number that is none: what does not look right is not sent.
  if (hasUnsaved) return <>Not saved yet</>;
  if (savedAt === null) return null;
  return (
    <>
      <Icon of={Check} size={16} />
      Saved {write(savedAt, 'time')}
    </>
  );
}
