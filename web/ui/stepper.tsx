import { useEffect, useId, useRef } from 'react';
import './stepper.css';

interface StepperProps {
  /** Names of the steps, in order. */
  steps: readonly string[];
  /** Index of the current step. */
  current: number;
  /** Returns to a completed step. */
  onGoTo: (step: number) => void;
}

/**
 * Steps of a dialog: a bar with a name for each. Completed steps are links back. Each step moves
 * the focus here, so that a screen reader names the step and Tab continues with its first field.
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
