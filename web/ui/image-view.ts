/** In pixels of the image. */
export interface Size {
  width: number;
  height: number;
}

/** How an image is looked at. */
export interface ImageView {
  /** 1 shows all of it. */
  zoom: number;
  /** Clockwise: 0, 90, 180 or 270. */
  degrees: number;
  /** How far its middle lies from the middle of the stage, in pixels of the image. */
  x: number;
  y: number;
}

export const MIN_ZOOM = 0.5;
export const MAX_ZOOM = 3;
const ZOOM_STEP = 0.25;

export const INITIAL_VIEW: ImageView = { zoom: 1, degrees: 0, x: 0, y: 0 };

/** A step nearer (1) or further away (-1). What lies in the middle of the stage stays there. */
export function zoomed(view: ImageView, steps: 1 | -1): ImageView {
  const zoom = Math.min(Math.max(view.zoom + steps * ZOOM_STEP, MIN_ZOOM), MAX_ZOOM);
  const factor = zoom / view.zoom;
  return { ...view, zoom, x: view.x * factor, y: view.y * factor };
}

/** A quarter turn, clockwise (1) or against it (-1); what was moved is back in the middle. */
export function rotated(view: ImageView, quarters: 1 | -1): ImageView {
  return { ...view, degrees: (view.degrees + quarters * 90 + 360) % 360, x: 0, y: 0 };
}

/** Moved by so many pixels of the image; its edge stays within reach of the middle. */
export function panned(view: ImageView, size: Size, byX: number, byY: number): ImageView {
  const { width, height } = sizeOnStage(view, size);
  return {
    ...view,
    x: within(view.x + byX, (width * view.zoom) / 2),
    y: within(view.y + byY, (height * view.zoom) / 2),
  };
}

/** The part of the plane that fits the whole image, as it is turned. */
export function viewBoxOf(view: ImageView, size: Size): string {
  const { width, height } = sizeOnStage(view, size);
  return `${-width / 2} ${-height / 2} ${width} ${height}`;
}

/** Moves, turns and enlarges an image whose middle is at 0, 0. */
export function transformOf({ zoom, degrees, x, y }: ImageView): string {
  return `translate(${x} ${y}) rotate(${degrees}) scale(${zoom})`;
}

function sizeOnStage({ degrees }: ImageView, { width, height }: Size): Size {
  return degrees % 180 === 0 ? { width, height } : { width: height, height: width };
}

function within(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
