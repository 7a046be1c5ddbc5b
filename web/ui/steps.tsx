import { Check } from 'lucide-react';
import { Link } from 'react-aria-components';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

interface StepsProps {
  /** Accessible name: "Steps". */
  label: string;
  /** Names of the steps, in order. */
  steps: readonly string[];
  /** Index of the current step. Earlier steps are done. */
  current: number;
  /** Completion of each step, if they can be done in any order. */
  complete?: readonly boolean[] | undefined;
  /** Address of a step other than the current one. Undefined if it cannot be opened. */
  hrefOf?: ((index: number) => string | undefined) | undefined;
}

/** Steps of a wizard: a column next to the form, a row of circles on phones. */
export function Steps({ label, steps, current, complete, hrefOf }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, index) => {
        const state = stateOf(index, current, complete?.[index] ?? index < current);
        const href = state === 'now' ? undefined : hrefOf?.(index);
        const content = (
          <>
            <span className="steps__dot" aria-hidden="true">
              {state === 'done' ? <Icon of={Check} size={16} /> : index + 1}
            </span>
            <span className="steps__name">
              {step}
              {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
              {state === 'open' && <VisuallyHidden> (not complete)</VisuallyHidden>}
            </span>
          </>
        );
        return (
          <li
            className="steps__item"
            data-state={state}
            key={step}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {href === undefined ? (
              <span className="steps__link">{content}</span>
            ) : (
              <Link className="steps__link" href={href}>
                {content}
              </Link>
            )}
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
