import { Check } from 'lucide-react';
import { Link } from 'react-aria-components';
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
  /** Where a step other than the current one is opened; undefined for one that cannot be. */
  hrefOf?: ((index: number) => string | undefined) | undefined;
}

/** The steps of a wizard: a column beside the form, a row of circles on phones. */
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
