import { useId } from 'react';
import './switch.css';

interface SwitchProps {
  label: string;
  /** Effect of the switch when it is on, on a second line. */
  meaning: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
}

/** Setting that takes effect immediately. The whole line can be pressed. */
export function Switch({ label, meaning, isOn, onChange, isDisabled = false }: SwitchProps) {
  const id = useId();
  return (
    <label className="switch" htmlFor={id}>
      <span className="switch__main">
        <span id={`${id}-label`}>{label}</span>
        <span className="meta" id={`${id}-meaning`}>
          {meaning}
        </span>
      </span>
      <span className="switch__end">
        {!isDisabled && (
          <span className="switch__word" aria-hidden="true">
            {isOn ? 'On' : 'Off'}
          </span>
        )}
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={isDisabled}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-meaning`}
          onChange={(event) => onChange(event.target.checked)}
        />
      </span>
    </label>
  );
}
