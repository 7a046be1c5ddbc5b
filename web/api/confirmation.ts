/** Means by which users confirm that it is them: the second factor where they have one, or a passkey. */
export interface ConfirmationWays {
  by: 'password' | 'code';
  hasPasskey: boolean;
}

/** Asks the user; answers whether they confirmed. */
type Ask = (ways: ConfirmationWays) => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/**
 * Says who asks the user to confirm that it is them, once for the app.
 * @returns undoes it
 */
export function onConfirmationNeeded(handler: Ask): () => void {
  ask = handler;
  return () => {
    ask = undefined;
  };
}

/** Asks the user, once for all requests that wait for it. False when nobody can ask. */
export function confirmItIsYou(ways: ConfirmationWays): Promise<boolean> {
  if (ask === undefined) return Promise.resolve(false);
  asking ??= ask(ways).finally(() => {
    asking = undefined;
  });
  return asking;
}
