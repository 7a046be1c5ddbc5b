import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveQuestionOptions {
  /** Something was typed that would be lost. */
  hasWork: boolean;
  onClose: () => void;
}

/**
 * Asks before Escape or the cross drops what was typed. A button that says "Cancel" is an answer already:
 * it closes without asking.
 */
export function useLeaveQuestion({ hasWork, onClose }: LeaveQuestionOptions): {
  /** For the dialog itself. */
  onLeave: () => void;
  /** Stands beside the dialog. */
  question: ReactNode;
} {
  const [isAsking, setIsAsking] = useState(false);
  return {
    onLeave: () => (hasWork ? setIsAsking(true) : onClose()),
    question: (
      <ConfirmDialog
        title="Discard what you typed?"
        isOpen={isAsking}
        keepLabel="Keep Editing"
        confirmLabel="Discard"
        onClose={() => setIsAsking(false)}
        onConfirm={onClose}
      >
        <p>It has not been sent, and is kept nowhere else.</p>
      </ConfirmDialog>
    ),
  };
}
