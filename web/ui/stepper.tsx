import { useEffect, useId, useRef } from 'react';
import './stepper.css';

interface StepperProps {
  /** The words of each step, in order. */
  steps: readonly string[];
  /** Index of the current step. */
  current: number;
  /** Goes back to a step that was done. */
  onGoTo: (step: number) => void;
}

/**
 * The steps of a dialog: a bar for each, with its name; those behind lead back. The focus moves here with each
 * step, so that a screen reader says which one it is and Tab goes on with its first field.
 */
export function Stepper({ steps, current, onGoTo }: StepperProps) {
  const nowId = useId();
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current !== current) box.current?.focus();
    shown.current = current;
  }, [current]);
  const place = `Step ${current + 1} of ${steps.length}`;
  return (
    <div
      ref={box}
      className="stepper-box"
      role="group"
      aria-label="Steps"
      aria-describedby={nowId}
      tabIndex={-1}
    >
      <ol className="stepper" aria-label={place}>
        {steps.map((step, index) => (
          <li
            key={step}
            data-state={index < current ? 'done' : index === current ? 'now' : 'next'}
            aria-current={index === current ? 'step' : undefined}
          >
            {index < current ? (
              <button type="button" className="stepper__back" onClick={() => onGoTo(index)}>
                {step}
              </button>
            ) : (
              step
            )}
          </li>
        ))}
      </ol>
      <p className="stepper__now" id={nowId} aria-hidden="true">
        {place}: <span className="strong">{steps[current]}</span>
      </p>
    </div>
  );
}
