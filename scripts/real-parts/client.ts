import { randomUUID } from 'node:crypto';
import type { RouteInput, RouteReply, RouteName } from '#contract/api.ts';
import { apiRequest } from '#scripts/api-request.ts';

/** A person at a browser of their own: calls the API through nginx and keeps its cookies. */
export class Client {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @throws Error when the server refuses */
  async call<Name extends RouteName>(
    name: Name,
    input: RouteInput<Name>,
  ): Promise<RouteReply<Name>> {
    const { method, path, query, body } = apiRequest(name, input);
    const reply = await this.#send(method, path, {
      query,
      ...(body !== undefined && { body: JSON.stringify(body), type: 'application/json' }),
    });
    return reply as RouteReply<Name>;
  }

  /** Uploads one side of an identity document. */
  async uploadImage(side: 'id_front' | 'id_back', image: Buffer): Promise<void> {
    const { method, path } = apiRequest('uploadDocument', {
      params: { type: side },
      query: {},
    });
    const body = new Uint8Array(image);
    await this.#send(method, path, {
      query: { fileName: `${side}.jpg` },
      body,
      type: 'image/jpeg',
    });
  }

  async #send(method: string, path: string, { query, body, type }: Sent): Promise<unknown> {
    const url = new URL(path, this.#origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        origin: this.#origin,
        cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; '),
        'idempotency-key': randomUUID(),
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

interface Sent {
  query: Readonly<Record<string, string | number | boolean>>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Content-Type of the body. */
  type?: string;
}
