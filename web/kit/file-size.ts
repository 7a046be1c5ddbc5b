const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * KILOBYTE;

/** "2.1 MB", "640 KB" or "1 KB": never less than one. */
export function fileSize(bytes: number): string {
  return bytes < MEGABYTE
    ? `${Math.max(Math.round(bytes / KILOBYTE), 1)} KB`
    : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
