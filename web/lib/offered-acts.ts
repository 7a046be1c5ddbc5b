/** A thing with the acts that its status offers to its reader. */
export interface Offering<Act extends string> {
  readonly acts: readonly { act: Act; refusal: string | null }[];
}

/** True if the status of a thing allows the act, also where the server would refuse it for another reason now. */
export function isLegal<Act extends string>({ acts }: Offering<Act>, act: Act): boolean {
  return acts.some((one) => one.act === act);
}

/** The sentence with which the server would refuse an act now, for `why` of its button. */
export function refusalOf<Act extends string>(
  { acts }: Offering<Act>,
  act: Act,
): string | undefined {
  return acts.find((one) => one.act === act)?.refusal ?? undefined;
}
