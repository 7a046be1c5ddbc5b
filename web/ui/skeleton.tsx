import { classNames } from './class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

type BarWidth = 'short' | 'medium' | 'long';

/** Placeholder bar for a word or figure. */
export function SkeletonBar({ width = 'long' }: { width?: BarWidth | undefined }) {
  return <span className={classNames('skel', `skel--${width}`)} aria-hidden="true" />;
}

const shape: readonly BarWidth[] = ['long', 'short', 'medium'];

/** Placeholder bars for content that is loading. They appear after 200 ms. */
export function Skeleton({
  lines = 3,
  label = 'Loading',
  isLabelShown = false,
}: {
  lines?: number | undefined;
  label?: string | undefined;
  isLabelShown?: boolean | undefined;
}) {
  return (
    <div className="loading" role="status">
      {isLabelShown ? <p className="muted">{label}</p> : <VisuallyHidden>{label}</VisuallyHidden>}
      {Array.from({ length: lines }, (_, line) => (
        <SkeletonBar key={line} width={shape[line % shape.length]} />
      ))}
    </div>
  );
}
