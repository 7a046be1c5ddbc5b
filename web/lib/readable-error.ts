/** An error whose message is a sentence for the person. Any other one is a bug, whose words say nothing to them. */
export class ReadableError extends Error {
  override readonly name: string = 'ReadableError';
}
