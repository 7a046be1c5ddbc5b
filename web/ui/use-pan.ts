import { useRef, useState, type PointerEvent, type RefObject } from 'react';

interface Point {
  x: number;
  y: number;
}

/**
 * Handlers that pan a drawing by dragging with mouse, pen or finger.
 * @param drawing element whose coordinates `onPan` receives
 */
export function usePan(
  drawing: RefObject<SVGSVGElement | null>,
  onPan: (byX: number, byY: number) => void,
) {
  const [isDragging, setIsDragging] = useState(false);
  // A ref, because several moves can occur before the next rendering.
  const last = useRef<Point>(undefined);

  function start(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY };
    setIsDragging(true);
  }

  function move({ clientX, clientY }: PointerEvent<HTMLElement>): void {
    // Converts CSS pixels to the drawing's units.
    const scale = drawing.current?.getScreenCTM()?.a ?? 0;
    const from = last.current;
    if (from === undefined || scale === 0) return;
    onPan((clientX - from.x) / scale, (clientY - from.y) / scale);
    last.current = { x: clientX, y: clientY };
  }

  function end(): void {
    last.current = undefined;
    setIsDragging(false);
  }

  return {
    'data-dragging': isDragging || undefined,
    onPointerDown: start,
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
  };
}
