import type { ServerResponse } from 'node:http';

/** The page loads only its own files, cannot be framed, and is never cached. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

export interface Content {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function respond(
  response: ServerResponse,
  { status = 200, contentType, body, ...more }: Content,
): void {
  response.writeHead(status, { ...headers, 'content-type': contentType, ...more.headers });
  response.end(body);
}

export const respondJson = (response: ServerResponse, value: unknown): void =>
  respond(response, { contentType: 'application/json', body: JSON.stringify(value) });

/** Begins an answer that goes on until the other side leaves. */
export const beginEvents = (response: ServerResponse): void => begin(response, 'text/event-stream');

/** Begins an answer whose parts are sent one by one. */
export function begin(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { ...headers, 'content-type': contentType });
}

/** RFC 9457. `detail` says what to do about it. */
export const respondProblem = (
  response: ServerResponse,
  problem: {
    readonly status: number;
    readonly title: string;
    readonly detail: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void => {
  const { headers: more, ...body } = problem;
  respond(response, {
    status: problem.status,
    contentType: 'application/problem+json',
    body: JSON.stringify(body),
    ...(more && { headers: more }),
  });
};
