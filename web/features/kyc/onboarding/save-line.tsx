import { Check, TriangleAlert } from 'lucide-react';
import { formatTime } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { SaveState } from './autosave.ts';

interface SaveLineProps {
  state: SaveState;
  timeZone: string;
}

/** In the top bar: whether what was typed is kept. */
export function SaveLine({ state, timeZone }: SaveLineProps) {
  return (
    <span className="saved num" role="status">
      <Content state={state} timeZone={timeZone} />
    </span>
  );
}

function Content({ state: { status, savedAt, hasUnsaved }, timeZone }: SaveLineProps) {
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
        {status === 'retrying' ? 'Not saved, trying again' : 'Not saved'}
      </>
    );
  }
  // Half a date, a phone number that is none: what does not look right is not sent.
  if (hasUnsaved) return 'Not saved yet';
  if (savedAt === null) return null;
  return (
    <>
      <Icon of={Check} size={16} />
      Saved {formatTime(savedAt, timeZone)}
    </>
  );
}
