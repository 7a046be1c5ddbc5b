import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { Autosave } from './autosave.ts';
import { forgetUnsavedAnswers } from './use-wizard.ts';

interface SignOutGuardProps {
  autosave: Autosave;
  onSignOut: () => void;
  children: (askToSignOut: () => void, isSaving: boolean) => ReactNode;
}

/** Longest wait for a save of a person who wants to leave. */
const LONGEST_SAVE_MS = 3_000;

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Saves before signing out, and asks first when something typed cannot be saved. */
export function SignOutGuard({ autosave, onSignOut, children }: SignOutGuardProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isSaving, setIsSaving] = useState(false);

  function leave(): void {
    setIsAsking(false);
    forgetUnsavedAnswers();
    onSignOut();
  }

  async function ask(): Promise<void> {
    setIsSaving(true);
    await Promise.race([autosave.flush(), wait(LONGEST_SAVE_MS)]);
    setIsSaving(false);
    if (autosave.state().hasUnsaved) setIsAsking(true);
    else leave();
  }

  return (
    <>
      {children(() => void ask(), isSaving)}
      <ConfirmDialog
        title="Log out without saving?"
        isOpen={isAsking}
        keepLabel="Keep editing"
        confirmLabel="Log out"
        onClose={() => setIsAsking(false)}
        onConfirm={leave}
      >
        <p>Something you typed is not saved. It is lost when you log out.</p>
      </ConfirmDialog>
    </>
  );
}
