import './stepper.css';

interface StepperProps {
  /** The words of each step, in order. */
  steps: readonly string[];
  /** Index of the current step. */
  current: number;
  /** Goes back to a step that was done. */
  onGoTo: (step: number) => void;
}

/** The steps of a dialog: a bar for each, with its name; those behind lead back. */
export function Stepper({ steps, current, onGoTo }: StepperProps) {
  const place = `Step ${current + 1} of ${steps.length}`;
  return (
    <div>
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
      <p className="stepper__now" aria-hidden="true">
        {place}: <span className="strong">{steps[current]}</span>
      </p>
    </div>
  );
}
