import { CircleAlert } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useRef, type MouseEvent } from 'react';
import { Icon } from './icon.tsx';

export interface FormProblem {
  /** `name` of the field with the problem, or `data-field` of a link to it. */
  name: string;
  /** Same text as under the field. */
  message: string;
  /** Heading for the problem in a long form. */
  section?: string | undefined;
}

interface FormSummaryProps {
  title: string;
  problems: readonly FormProblem[];
  /** Increases with each attempt to submit, which moves the focus here. */
  attempt: number;
}

/**
 * Errors to correct before a form can be sent, at its top. Each line links to its field. Renders
 * nothing if there are none.
 */
export function FormSummary({ title, problems, attempt }: FormSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const hasProblems = problems.length > 0;

  // Only an attempt to submit moves the focus, not a problem that appears or disappears while
  // typing.
  const takeFocus = useEffectEvent(() => hasProblems && box.current?.focus());
  const lastAttempt = useRef(0);
  useEffect(() => {
    if (attempt > lastAttempt.current) takeFocus();
    lastAttempt.current = Math.max(attempt, lastAttempt.current);
  }, [attempt]);

  if (!hasProblems) return null;
  return (
    <div className="notice tone-critical summary" role="alert" tabIndex={-1} ref={box}>
      <Icon of={CircleAlert} />
      <div>
        <p className="strong">{title}</p>
        {bySection(oncePerMessage(problems)).map(([section, ofSection]) => (
          <Fragment key={section}>
            {section !== '' && <p className="summary__section">{section}</p>}
            <ul>
              {ofSection.map(({ name, message }) => (
                <li key={name}>
                  <a href={`#${name}`} onClick={(event) => goToField(event, name)}>
                    {message}
                  </a>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** Groups problems by section, in order of first appearance. '' has those without a section. */
function bySection(problems: readonly FormProblem[]): [string, FormProblem[]][] {
  const sections = new Set(problems.map(({ section = '' }) => section));
  return [...sections].map((name) => [
    name,
    problems.filter(({ section = '' }) => section === name),
  ]);
}

/**
 * Keeps one problem for each sentence: fields can share one, such as that for empty fields. It
 * links to the first of them.
 */
function oncePerMessage(problems: readonly FormProblem[]): FormProblem[] {
  const messages = problems.map(({ message }) => message);
  return problems.filter(({ message }, index) => messages.indexOf(message) === index);
}

/**
 * Focuses a field by name, first in the same form, then anywhere. Names are unique in a form, and
 * React makes the ids. A field on another step has a link to that step here, which is followed.
 */
function goToField(event: MouseEvent<HTMLAnchorElement>, name: string): void {
  event.preventDefault();
  const scope: ParentNode = event.currentTarget.closest('form') ?? document;
  const value = CSS.escape(name);
  const target = scope.querySelector<HTMLElement>(`[name="${value}"], [data-field="${value}"]`);
  if (target instanceof HTMLAnchorElement) target.click();
  else target?.focus();
}
