import { useState, type ReactNode } from 'react';
import { hasUnsavedWork } from '#web/lib/unsaved-work.ts';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { useSignOut } from './use-sign-out.ts';

/** Signs out by a button, which asks first where that drops what was typed, as leaving a screen does. */
export function useAskedSignOut(): {
  signOut: () => void;
  isPending: boolean;
  /** Stands next to the button. */
  question: ReactNode;
} {
  const { mutate, isPending } = useSignOut();
  const [isAsking, setIsAsking] = useState(false);
  return {
    signOut: () => (hasUnsavedWork() ? setIsAsking(true) : mutate()),
    isPending,
    question: (
      <LeaveQuestion
        isOpen={isAsking}
        onStay={() => setIsAsking(false)}
        onLeave={() => {
          setIsAsking(false);
          mutate();
        }}
      />
    ),
  };
}
