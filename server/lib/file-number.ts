/** Number of a payout file as people and banks read it: `0031`. */
export function fileNumber(number: number): string {
  return String(number).padStart(4, '0');
}
