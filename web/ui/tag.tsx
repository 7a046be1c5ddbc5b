import { classNames } from './class-names.ts';

/** Label of a thing that is not its status: Primary, Urgent, a category. */
export function Tag({ children, tone }: { children: string; tone?: 'caution' | undefined }) {
  return (
    <span className={classNames('tag', tone === 'caution' && 'tag--caution')}>{children}</span>
  );
}
