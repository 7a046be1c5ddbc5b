import { useId, type ReactNode, type Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { classNames } from './class-names.ts';
import type { Named } from './named.ts';
import { Spinner } from './spinner.tsx';

/**
 * `money` and `money-outline` only for actions that move money; `solid` for another main action of
 * a view; `danger` for actions that remove something; `quiet` has no border.
 */
export type ButtonKind = 'money' | 'money-outline' | 'solid' | 'outline' | 'danger' | 'quiet';

/** `text` is for actions in table rows, `icon` needs an `aria-label`. */
export type ButtonShape = 'standard' | 'small' | 'block' | 'text' | 'icon' | 'icon-small';

type ButtonProps = Named & ButtonOptions;

export interface ButtonOptions {
  kind?: ButtonKind | undefined;
  shape?: ButtonShape | undefined;
  type?: 'button' | 'submit' | undefined;
  /**
   * True while the action runs. The button keeps its focus and width, shows the state, and cannot
   * be pressed.
   */
  isPending?: boolean | undefined;
  /** Text while pending: "Sending". */
  pendingLabel?: string | undefined;
  /** Disabled without an explanation. Prefer `why`. */
  isDisabled?: boolean | undefined;
  /**
   * Reason it cannot be pressed now, shown next to it. It stays focusable, so that people find the
   * reason.
   */
  why?: string | undefined;
  /** Closes the dialog around it. */
  slot?: 'close' | undefined;
  /** Id of the form to submit, if the button is outside of it. */
  form?: string | undefined;
  'aria-expanded'?: boolean | undefined;
  'aria-controls'?: string | undefined;
  /** True for the one of several choices that was made. */
  'aria-pressed'?: boolean | undefined;
  /** Key that presses it while its row has the focus: "A". */
  shortcut?: string | undefined;
  className?: string | undefined;
  onPress?: (() => void) | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** Classes of a button, also for links that look like one. */
export function buttonClass(kind: ButtonKind = 'outline', shape: ButtonShape = 'standard'): string {
  return classNames(
    'btn',
    kind !== 'outline' && `btn--${kind}`,
    shape === 'text' && 'btn--text',
    shape === 'block' && 'btn--block',
    (shape === 'icon' || shape === 'icon-small') && 'btn--icon',
    (shape === 'small' || shape === 'icon-small') && 'btn--sm',
  );
}

/**
 * Button for mouse, touch, keyboard and assistive technology. Pending and `why` both block presses
 * and submits.
 */
export function Button({
  children,
  kind,
  shape,
  isPending = false,
  pendingLabel,
  why,
  className,
  form,
  shortcut,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const button = (
    <AriaButton
      {...given(rest)}
      {...(form === undefined ? {} : { form })}
      className={classNames(buttonClass(kind, shape), className)}
      // React Aria's pending state fits both: focusable, aria-disabled, and it ignores presses.
      isPending={isPending || why !== undefined}
      {...(why === undefined ? {} : { 'aria-describedby': reasonId })}
      render={(props) => (
        <button {...props} aria-busy={isPending || undefined} aria-keyshortcuts={shortcut} />
      )}
    >
      {pendingLabel === undefined ? (
        <Content isPending={isPending}>{children}</Content>
      ) : (
        <span className="btn__stack">
          <span className="btn__label" aria-hidden={isPending || undefined}>
            {children}
          </span>
          {isPending && (
            <span className="btn__pending">
              <Spinner />
              {pendingLabel}
            </span>
          )}
        </span>
      )}
    </AriaButton>
  );
  if (why === undefined) return button;
  return (
    <span className="why">
      {button}
      <span id={reasonId}>{why}</span>
    </span>
  );
}

function Content({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  return (
    <>
      {isPending && <Spinner />}
      {children}
    </>
  );
}

/** Drops undefined properties, because React Aria's types distinguish absent from undefined. */
function given<T extends object>(props: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
