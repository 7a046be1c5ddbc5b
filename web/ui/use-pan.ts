import { useState, type PointerEvent, type RefObject } from 'react';

/**
 * Handlers that move what a drawing shows, by dragging with mouse, pen or finger.
 * @param drawing its coordinates are those that `onPan` gets
 */
export function usePan(
  drawing: RefObject<SVGSVGElement | null>,
  onPan: (byX: number, byY: number) => void,
) {
  const [isDragging, setIsDragging] = useState(false);

  function start(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setIsDragging(true);
  }

  function move(event: PointerEvent<HTMLElement>): void {
    // CSS pixels to the drawing's own units.
    const scale = drawing.current?.getScreenCTM()?.a ?? 0;
    if (isDragging && scale > 0) onPan(event.movementX / scale, event.movementY / scale);
  }

  return {
    'data-dragging': isDragging || undefined,
    onPointerDown: start,
    onPointerMove: move,
    onPointerUp: () => setIsDragging(false),
    onPointerCancel: () => setIsDragging(false),
  };
}
