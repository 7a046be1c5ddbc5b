import { useState, type ReactNode } from 'react';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveQuestionOptions {
  /** True if unsaved input would be lost. */
  hasWork: boolean;
  onClose: () => void;
}

/**
 * Asks before unsaved input of a dialog is lost. One rule covers Cancel, Escape, the cross, the
 * Back button and a reload.
 */
export function useLeaveQuestion({ hasWork, onClose }: LeaveQuestionOptions): {
  /** Handler for the dialog and its Cancel button. */
  onLeave: () => void;
  /** Question, rendered next to the dialog. */
  question: ReactNode;
} {
  const [isAsking, setIsAsking] = useState(false);
  useUnsavedWork(hasWork, 'dialog');
  return {
    onLeave: () => (hasWork ? setIsAsking(true) : onClose()),
    question: (
      <LeaveQuestion isOpen={isAsking} onStay={() => setIsAsking(false)} onLeave={onClose} />
    ),
  };
}

interface LeaveQuestionProps {
  isOpen: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** The question itself. */
export function LeaveQuestion({ isOpen, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <ConfirmDialog
      title="Discard what you typed?"
      isOpen={isOpen}
      keepLabel="Keep Editing"
      confirmLabel="Discard"
      onClose={onStay}
      onConfirm={onLeave}
    >
      <p>It has not been saved and will be lost.</p>
    </ConfirmDialog>
  );
}
