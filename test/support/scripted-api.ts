import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import type { HttpRequest, HttpResponse, SendHttp } from '../../shared/net/http.ts';

export interface ScriptedApi {
  readonly sendHttp: SendHttp;
  /** Every request so far, oldest first. */
  readonly requests: readonly HttpRequest[];
}

/** Carries requests to a function that answers them: for answers that no well API server gives. */
export function scriptedApi(
  answer: (request: HttpRequest, index: number) => HttpResponse | Promise<HttpResponse>,
): ScriptedApi {
  const requests: HttpRequest[] = [];
  return {
    requests,
    sendHttp: async (request) => {
      requests.push(request);
      return await answer(request, requests.length - 1);
    },
  };
}

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers,
  body: JSON.stringify(body),
});

export interface StatusParts {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly {
    readonly reason?: string;
    readonly message?: string;
    readonly field?: string;
  }[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A metav1.Status as the API server sends it. */
export const status = (parts: StatusParts): HttpResponse =>
  json(
    parts.code,
    {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: parts.message ?? '',
      reason: parts.reason ?? '',
      code: parts.code,
      details: {
        ...(parts.causes && { causes: parts.causes }),
        ...(parts.retryAfterSeconds && { retryAfterSeconds: parts.retryAfterSeconds }),
      },
    },
    parts.headers,
  );

/** A connection that counts how often it was invalidated. */
export function fixedConnection(): ConnectionSource & { readonly invalidations: () => number } {
  let invalidations = 0;
  return {
    connect: () =>
      Promise.resolve({
        server: 'https://api.test:6443/k8s',
        tls: {},
        bearerToken: `token-${invalidations}`,
      }),
    invalidate: () => {
      invalidations += 1;
    },
    invalidations: () => invalidations,
  };
}
