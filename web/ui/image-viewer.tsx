import { Maximize, RotateCcw, RotateCw, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorState } from './error-state.tsx';
import { Icon } from './icon.tsx';
import {
  INITIAL_VIEW,
  MAX_ZOOM,
  MIN_ZOOM,
  panned,
  rotated,
  transformOf,
  viewBoxOf,
  zoomed,
  type ImageView,
  type Size,
} from './image-view.ts';
import { Skeleton } from './skeleton.tsx';
import { usePan } from './use-pan.ts';
import './image-viewer.css';

interface ImageViewerProps {
  /** What the image shows: "Front of ID". Give each image a `key` of its own, so that it begins upright. */
  label: string;
  /** Where the image is; undefined while that is not known yet. */
  src: string | undefined;
  /** Of the image, in pixels. */
  size: Size;
  /** At the left of the controls: the file's name. */
  caption?: ReactNode;
  /** Asks for the image again after it could not be shown. */
  onRetry: () => void;
  /** The image's address could not be had: its reason is shown instead. */
  error?: string | undefined;
}

/** How far an arrow key moves the image: a tenth of its longer side. */
const ARROW_SHARE = 0.1;

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * One image to be looked at closely: 0.5x to 3x by 0.25, turned by 90 degrees, moved by dragging. The
 * same with the keyboard, on the image itself: plus and minus, brackets, arrows, 0 for as it was. An
 * SVG does the geometry, because a strict Content-Security-Policy allows no style attributes.
 */
export function ImageViewer(props: ImageViewerProps) {
  const { label, src, size, caption, onRetry, error } = props;
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const [view, setView] = useState(INITIAL_VIEW);
  const [isBroken, setIsBroken] = useState(false);
  const drag = usePan(drawing, (x, y) => setView((current) => panned(current, size, x, y)));
  const problem = error ?? (isBroken ? 'The image could not be shown.' : undefined);

  function retry(): void {
    setIsBroken(false);
    onRetry();
  }

  return (
    <div className="viewer" ref={frame}>
      {problem === undefined && src !== undefined ? (
        <div
          className="viewer__stage"
          role="group"
          aria-label={`${label}, ${describe(view)}`}
          aria-keyshortcuts="+ - 0 [ ]"
          // The keyboard's way to zoom, turn and move, as a scroll box has its own.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          data-movable={view.zoom > 1 || undefined}
          onKeyDown={(event) => {
            const next = viewAfterKey(view, size, event);
            if (next === undefined) return;
            event.preventDefault();
            setView(next);
          }}
          {...drag}
        >
          <svg ref={drawing} role="img" aria-label={label} viewBox={viewBoxOf(view, size)}>
            <image
              href={src}
              x={-size.width / 2}
              y={-size.height / 2}
              width={size.width}
              height={size.height}
              transform={transformOf(view)}
              onError={() => setIsBroken(true)}
            />
          </svg>
        </div>
      ) : (
        <div className="viewer__stage">
          {problem === undefined ? (
            <Skeleton label={`Loading ${label}`} />
          ) : (
            <ErrorState title="No image to show" message={problem} onRetry={retry} />
          )}
        </div>
      )}
      <div className="viewer__bar">
        <span className="muted viewer__file">{caption}</span>
        <ViewControls view={view} onChange={setView} />
        {document.fullscreenEnabled && (
          <Button
            kind="quiet"
            shape="icon"
            aria-label="Full screen"
            onPress={() => void toggleFullScreen(frame.current)}
          >
            <Icon of={Maximize} />
          </Button>
        )}
      </div>
    </div>
  );
}

interface ViewControlsProps {
  view: ImageView;
  onChange: (view: ImageView) => void;
}

function ViewControls({ view, onChange }: ViewControlsProps) {
  return (
    <>
      <Button
        kind="quiet"
        shape="icon"
        aria-label="Zoom out"
        isDisabled={view.zoom <= MIN_ZOOM}
        onPress={() => onChange(zoomed(view, -1))}
      >
        <Icon of={ZoomOut} />
      </Button>
      <Button
        kind="quiet"
        className="viewer__zoom num"
        aria-label={`${percent(view)}, show as it was`}
        onPress={() => onChange(INITIAL_VIEW)}
      >
        {percent(view)}
      </Button>
      <Button
        kind="quiet"
        shape="icon"
        aria-label="Zoom in"
        isDisabled={view.zoom >= MAX_ZOOM}
        onPress={() => onChange(zoomed(view, 1))}
      >
        <Icon of={ZoomIn} />
      </Button>
      <Button
        kind="quiet"
        shape="icon"
        aria-label="Rotate left"
        onPress={() => onChange(rotated(view, -1))}
      >
        <Icon of={RotateCcw} />
      </Button>
      <Button
        kind="quiet"
        shape="icon"
        aria-label="Rotate right"
        onPress={() => onChange(rotated(view, 1))}
      >
        <Icon of={RotateCw} />
      </Button>
    </>
  );
}

function viewAfterKey(view: ImageView, size: Size, event: KeyboardEvent): ImageView | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    const step = ARROW_SHARE * Math.max(size.width, size.height);
    return panned(view, size, arrow[0] * step, arrow[1] * step);
  }
  switch (event.key) {
    case '+':
    case '=':
      return zoomed(view, 1);
    case '-':
      return zoomed(view, -1);
    case ']':
      return rotated(view, 1);
    case '[':
      return rotated(view, -1);
    case '0':
      return INITIAL_VIEW;
    default:
      return undefined;
  }
}

function percent({ zoom }: ImageView): string {
  return `${zoom * 100}%`;
}

function describe(view: ImageView): string {
  const turned = view.degrees === 0 ? '' : `, turned by ${view.degrees} degrees`;
  return `${percent(view)}${turned}`;
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen();
  else await element?.requestFullscreen();
}
