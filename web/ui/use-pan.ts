import { useState, type PointerEvent, type RefObject } from 'react';

interface Point {
  x: number;
  y: number;
}

/**
 * Handlers that move what a drawing shows, by dragging with mouse, pen or finger.
 * @param drawing its coordinates are those that `onPan` gets
 */
export function usePan(
  drawing: RefObject<SVGSVGElement | null>,
  onPan: (byX: number, byY: number) => void,
) {
  const [last, setLast] = useState<Point>();

  function start(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setLast({ x: event.clientX, y: event.clientY });
  }

  function move({ clientX, clientY }: PointerEvent<HTMLElement>): void {
    // CSS pixels to the drawing's own units.
    const scale = drawing.current?.getScreenCTM()?.a ?? 0;
    if (last === undefined || scale === 0) return;
    onPan((clientX - last.x) / scale, (clientY - last.y) / scale);
    setLast({ x: clientX, y: clientY });
  }

  function end(): void {
    setLast(undefined);
  }

  return {
    'data-dragging': last !== undefined || undefined,
    onPointerDown: start,
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
  };
}
