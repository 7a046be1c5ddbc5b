/** Size in pixels of the image. */
export interface Size {
  width: number;
  height: number;
}

/** Zoom, rotation and position of an image. */
export interface ImageView {
  /** 1 shows the whole image. */
  zoom: number;
  /** Clockwise angle: 0, 90, 180 or 270. */
  degrees: number;
  /** Distance from the center of the stage to that of the image, in pixels of the image. */
  x: number;
  y: number;
}

export const MIN_ZOOM = 0.5;
export const MAX_ZOOM = 3;
const ZOOM_STEP = 0.25;

export const INITIAL_VIEW: ImageView = { zoom: 1, degrees: 0, x: 0, y: 0 };

/** Zooms in (1) or out (-1) by a step. The center of the stage stays in place. */
export function zoomed(view: ImageView, steps: 1 | -1): ImageView {
  const zoom = Math.min(Math.max(view.zoom + steps * ZOOM_STEP, MIN_ZOOM), MAX_ZOOM);
  const factor = zoom / view.zoom;
  return { ...view, zoom, x: view.x * factor, y: view.y * factor };
}

/** Rotates by a quarter, clockwise (1) or counterclockwise (-1), and centers the image. */
export function rotated(view: ImageView, quarters: 1 | -1): ImageView {
  return { ...view, degrees: (view.degrees + quarters * 90 + 360) % 360, x: 0, y: 0 };
}

/** Moves by a number of image pixels. The image always covers the center of the stage. */
export function panned(view: ImageView, size: Size, byX: number, byY: number): ImageView {
  const { width, height } = sizeOnStage(view, size);
  return {
    ...view,
    x: within(view.x + byX, (width * view.zoom) / 2),
    y: within(view.y + byY, (height * view.zoom) / 2),
  };
}

/** View box that fits the whole rotated image. */
export function viewBoxOf(view: ImageView, size: Size): string {
  const { width, height } = sizeOnStage(view, size);
  return `${-width / 2} ${-height / 2} ${width} ${height}`;
}

/** SVG transform of an image whose center is at 0, 0. */
export function transformOf({ zoom, degrees, x, y }: ImageView): string {
  return `translate(${x} ${y}) rotate(${degrees}) scale(${zoom})`;
}

function sizeOnStage({ degrees }: ImageView, { width, height }: Size): Size {
  return degrees % 180 === 0 ? { width, height } : { width: height, height: width };
}

function within(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
