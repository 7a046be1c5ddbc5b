import { Maximize, RotateCcw, RotateCw, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorState } from './error-state.tsx';
import { IconButton } from './icon-button.tsx';
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
  /**
   * Content of the image: "Front of ID". Give each image its own `key`, so that it starts
   * unrotated.
   */
  label: string;
  /** Address of the image. Undefined while it is not known. */
  src: string | undefined;
  /** Size of the image in pixels. */
  size: Size;
  /** Content at the left of the controls: the file name. */
  caption?: ReactNode;
  /** Loads the image again after a failure. */
  onRetry: () => void;
  /** Reason the image's address could not be loaded, shown instead of the image. */
  error?: string | undefined;
}

/** Distance that an arrow key moves the image: a tenth of its longer side. */
const ARROW_SHARE = 0.1;

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * Viewer for one image: zoom from 0.5x to 3x in steps of 0.25, rotation by 90 degrees, panning by
 * dragging. Keys on the image do the same: plus and minus, brackets, arrows, and 0 to reset. SVG
 * does the geometry, because a strict Content-Security-Policy allows no style attributes.
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
          // Focusable, so that the keyboard can zoom, rotate and pan, as it can scroll a scroll
          // box.
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
          <IconButton
            icon={Maximize}
            label="Full screen"
            onPress={() => void toggleFullScreen(frame.current)}
          />
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
      <IconButton
        icon={ZoomOut}
        label="Zoom out"
        isDisabled={view.zoom <= MIN_ZOOM}
        onPress={() => onChange(zoomed(view, -1))}
      />
      <Button
        kind="quiet"
        className="viewer__zoom num"
        aria-label={`${percent(view)}, show as it was`}
        onPress={() => onChange(INITIAL_VIEW)}
      >
        {percent(view)}
      </Button>
      <IconButton
        icon={ZoomIn}
        label="Zoom in"
        isDisabled={view.zoom >= MAX_ZOOM}
        onPress={() => onChange(zoomed(view, 1))}
      />
      <IconButton
        icon={RotateCcw}
        label="Rotate left"
        onPress={() => onChange(rotated(view, -1))}
      />
      <IconButton icon={RotateCw} label="Rotate right" onPress={() => onChange(rotated(view, 1))} />
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
