import { CircleAlert } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useRef, type MouseEvent } from 'react';
import { Icon } from './icon.tsx';

export interface FormProblem {
  /** The `name` of the field it is about, or the `data-field` of what leads there. */
  name: string;
  /** The same words as under the field. */
  message: string;
  /** What part of a long form it belongs to, which it is listed under. */
  section?: string | undefined;
}

interface FormSummaryProps {
  title: string;
  problems: readonly FormProblem[];
  /** Grows with each attempt to submit, which brings the focus here. */
  attempt: number;
}

/** What has to be corrected before a form can be sent, at its top; each line leads to its field. Nothing while there are no problems. */
export function FormSummary({ title, problems, attempt }: FormSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const hasProblems = problems.length > 0;

  // Only an attempt moves the focus: not a problem that comes or goes while typing.
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

/** Sections in the order of their first problem; those of none come under ''. */
function bySection(problems: readonly FormProblem[]): [string, FormProblem[]][] {
  const sections = new Set(problems.map(({ section = '' }) => section));
  return [...sections].map((name) => [
    name,
    problems.filter(({ section = '' }) => section === name),
  ]);
}

/** Fields may share a sentence, such as the one for empty ones: it leads to the first of them. */
function oncePerMessage(problems: readonly FormProblem[]): FormProblem[] {
  const messages = problems.map(({ message }) => message);
  return problems.filter(({ message }, index) => messages.indexOf(message) === index);
}

/**
 * Focuses a field, by name within the same form, else anywhere: names are unique in a form, ids are React's own. A
 * field on another step has a link here that leads to it, which is followed.
 */
function goToField(event: MouseEvent<HTMLAnchorElement>, name: string): void {
  event.preventDefault();
  const scope: ParentNode = event.currentTarget.closest('form') ?? document;
  const value = CSS.escape(name);
  const target = scope.querySelector<HTMLElement>(`[name="${value}"], [data-field="${value}"]`);
  if (target instanceof HTMLAnchorElement) target.click();
  else target?.focus();
}
