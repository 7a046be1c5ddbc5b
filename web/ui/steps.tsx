import { Check } from 'lucide-react';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

interface StepsProps {
  /** Its accessible name: "Steps". */
  label: string;
  /** The words of each step, in order. */
  steps: readonly string[];
  /** Index of the current step; those before it are done. */
  current: number;
  /** By step, where they may be done in any order: whether it is. */
  complete?: readonly boolean[] | undefined;
}

/** The steps of a wizard: a column beside the form, a row of circles on phones. */
export function Steps({ label, steps, current, complete }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => {
        const state = stateOf(index, current, complete?.[index] ?? index < current);
        return (
          <li
            className="steps__item"
            data-state={state}
            key={step}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <span className="steps__dot" aria-hidden="true">
              {state === 'done' ? <Icon of={Check} size={16} /> : index + 1}
            </span>
            <span>
              {step}
              {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
              {state === 'open' && <VisuallyHidden> (not complete)</VisuallyHidden>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function stateOf(
  index: number,
  current: number,
  isDone: boolean,
): 'done' | 'now' | 'open' | 'next' {
  if (index === current) return 'now';
  if (isDone) return 'done';
  return index < current ? 'open' : 'next';
}
