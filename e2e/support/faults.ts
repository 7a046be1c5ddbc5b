import type { BrowserContext, ConsoleMessage, WebError } from '@playwright/test';

/**
 * Everything a browser complained about: console errors and warnings of the page, exceptions, and
 * violations of the Content-Security-Policy.
 */
export class Faults {
  readonly #seen: string[] = [];
  readonly #allowed: ((fault: string) => boolean)[] = [];
  readonly #stops: (() => void)[] = [];

  /** Has the pages of a context log violations of the Content-Security-Policy. */
  static async reportViolations(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} stopped ${event.blockedURI}`);
      });
    });
  }

  /** Watches all pages of a context, from now until `stop`. */
  watch(context: BrowserContext): void {
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() !== 'error') return;
      const { url } = message.location();
      this.#seen.push(`console: ${message.text()} (${url})`);
    };
    const onError = (error: WebError) => {
      this.#seen.push(`exception: ${error.error().stack ?? String(error.error())}`);
    };
    context.on('console', onConsole);
    context.on('weberror', onError);
    this.#stops.push(() => {
      context.off('console', onConsole);
      context.off('weberror', onError);
    });
  }

  /** Ends the watch of all contexts. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /**
   * Expects something that a browser logs by itself, such as the refused request of a journey about
   * refusals.
   *
   * @param words matched against `console: <text> (<address>)`
   */
  allow(words: RegExp): void {
    this.#allowed.push((fault) => words.test(fault));
  }

  /** Expects the refusal of an operation: Chromium logs every reply of 400 and above. */
  allowRefusal(status: number, path: string): void {
    this.#allowed.push((fault) => fault.includes(`status of ${status} `) && fault.includes(path));
  }

  /** Complaints that no test expected. */
  unexpected(): string[] {
    return this.#seen.filter((fault) => !this.#allowed.some((isAllowed) => isAllowed(fault)));
  }
}
