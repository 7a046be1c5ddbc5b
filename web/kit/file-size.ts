/** "2.1 MB"; a small file is 0.1 MB. */
export function megabytes(bytes: number): string {
  return `${Math.max(bytes / 1_048_576, 0.1).toFixed(1)} MB`;
}
