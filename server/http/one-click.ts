import type { OpenAPIHono } from '@hono/zod-openapi';
import { PATHS } from '#contract/paths.ts';
import type { Environment } from './environment.ts';

/** Address of the unsubscribe links in mails. GET is the web app's page, and changes nothing. */
const PAGE = '/unsubscribe';

/**
 * Accepts the one-click request of a mail program (RFC 8058): a POST of a form to the address in
 * the mail, without cookies. The token is in the address, so its body is not read. It calls the
 * operation of the same name, as the page does.
 */
export function mountOneClick(app: OpenAPIHono<Environment>): void {
  app.post(PAGE, (c) => {
    c.set('route', 'unsubscribe');
    const [method, path] = PATHS.unsubscribe;
    const token = c.req.query('token') ?? '';
    return app.fetch(
      new Request(new URL(path, c.req.url), {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }),
      c.env,
    );
  });
}
