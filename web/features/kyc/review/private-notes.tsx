import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApplicationReview } from '#contract/api.ts';
import { privateNoteRule } from '#contract/reasons.ts';
import { problemOf } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Time } from '#web/ui/time.tsx';
import { useDraft } from './use-draft.ts';

type Note = ApplicationReview['notes'][number];

interface ReviewNotesProps {
  /** The item of the queue they belong to. */
  id: string;
  /** The admin who reviews. */
  viewerId: string;
  notes: readonly Note[];
  /** A note was added: these are all of them now. */
  onAdded: (notes: Note[]) => void;
}

/** Notes of admins to each other about an application; its owner never sees them. */
export function ReviewNotes({ id, viewerId, notes, onAdded }: ReviewNotesProps) {
  const [typed, setTyped] = useDraft(`${viewerId} note ${id}`);
  const [problem, setProblem] = useState<string>();
  const add = useMutation({
    mutationFn: (text: string) => call('adminAddReviewNote', { params: { id }, body: { text } }),
    onSuccess: (reply, text) => {
      // A text that was typed while it was sent is another note.
      if (typed.trim() === text) setTyped('');
      onAdded(reply.notes);
    },
    onError: (error) => setProblem(errorMessage(error, 'The note was not added.')),
  });

  function submit(): void {
    const found = problemOf(privateNoteRule, typed);
    setProblem(found);
    if (found === undefined) add.mutate(typed.trim());
  }

  return (
    <section className="review-notes">
      <h3 className="review-title">Private notes</h3>
      {notes.length > 0 && (
        <ul className="review-notes__list" aria-label="Private notes">
          {notes.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <p className="meta">
                {note.by}, <Time at={note.at} as="dateTime" />
              </p>
            </li>
          ))}
        </ul>
      )}
      <TextArea
        label="New private note"
        name="privateNote"
        rows={2}
        maxLength={privateNoteRule.maxLength}
        hint="Only administrators see it."
        value={typed}
        error={problem}
        onChange={(text) => {
          setProblem(undefined);
          setTyped(text);
        }}
      />
      <div>
        <Button isPending={add.isPending} pendingLabel="Adding" onPress={submit}>
          Add note
        </Button>
      </div>
    </section>
  );
}
