import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useMoments } from '#web/ui/time.tsx';

type Rule = NonNullable<PayrollPreview['secondPerson']>;

/**
 * The note of a draft, saved when its field is left and before it is sent.
 *
 * @param onSaved takes the draft as it is then
 */
export function useNote(draft: PayrollDraft, onSaved: (draft: PayrollDraft) => void) {
  const queryClient = useQueryClient();
  const { id, version } = draft;
  const [text, setText] = useState(draft.note);
  const saving = useRef<Promise<boolean>>(undefined);

  async function saveNow(): Promise<boolean> {
    const { queryKey } = apiQuery('adminGetPayrollDraft', { params: { id } });
    try {
      const body = { version, note: text.trim() };
      const saved = await call('adminSavePayrollDraft', { params: { id }, body });
      onSaved(saved);
      queryClient.setQueryData(queryKey, saved);
      return true;
    } catch (error) {
      toastFailure('The note was not saved', error);
      await queryClient.invalidateQueries({ queryKey });
      return false;
    } finally {
      saving.current = undefined;
    }
  }

  /** Saves what was typed, once. @returns false if it was not saved */
  function save(): Promise<boolean> {
    if (saving.current !== undefined) return saving.current;
    if (text.trim() === draft.note) return Promise.resolve(true);
    saving.current = saveNow();
    return saving.current;
  }

  return { text, setText, save };
}

interface SecondPersonProps {
  secondPerson: Rule | null;
  /** Number of differences that they check. */
  groups: number;
  note: ReturnType<typeof useNote>;
}

/** The administrators who can confirm a payroll, who cannot and why, what they see, and words for them. */
export function SecondPerson({ secondPerson, groups, note }: SecondPersonProps) {
  const write = useMoments();
  if (secondPerson === null) return null;
  const { isNeeded, people, from } = secondPerson;
  if (!isNeeded) {
    return (
      <Section title="Second person" isRuled>
        <p className="muted review__pad">{`Not needed below ${formatMoney(from)}.`}</p>
      </Section>
    );
  }
  const isNobody = people.length === 0;
  const who = whoCanWords(people, (at) => write(at, 'weekdayTime'));
  return (
    <Section title="Second person" isRuled>
      {isNobody ? (
        <Notice tone="caution">
          <p className="strong">Nobody else can confirm this payroll.</p>
          <p>Invite another administrator, or let somebody else send it. Sent now, it waits.</p>
        </Notice>
      ) : (
        <p className="review__pad">
          {who}{' '}
          <span className="meta num">{`Asked of payrolls from ${formatMoney(from)} on.`}</span>
        </p>
      )}
      <ul className="sees">
        {secondPerson.others.map(({ name, why }) => (
          <li key={name}>{`${name} cannot: ${WHY[why]}.`}</li>
        ))}
        {!isNobody && (
          <>
            <li>
              {groups === 0
                ? 'They see this page and the note.'
                : `They see this page, what you checked and when, and check the same ${groups === 1 ? 'difference' : `${groups} differences`} alone.`}
            </li>
            <li>They confirm it, or send it back with a reason. Then it is a draft again.</li>
          </>
        )}
      </ul>
      <div onBlur={() => void note.save()}>
        <TextField
          label="Note"
          name="note"
          optional
          maxLength={DESCRIPTION_MAX_LENGTH}
          hint="For the administrator who confirms it."
          value={note.text}
          onChange={note.setText}
        />
      </div>
    </Section>
  );
}

const WHY: Record<Rule['others'][number]['why'], string> = {
  sends: 'sends it',
  changed_amounts: 'was the last to change an amount',
  no_two_factor: 'has no two-factor yet',
};
