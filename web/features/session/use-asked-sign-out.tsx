import { useState, type ReactNode } from 'react';
import { hasUnsavedWork } from '#web/lib/unsaved-work.ts';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { useSignOut } from './use-sign-out.ts';

/** Sign-out button that asks first if unsaved input would be lost, as leaving a screen does. */
export function useAskedSignOut(): {
  signOut: () => void;
  isPending: boolean;
  /** Dialog with the question, rendered next to the button. */
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
