import { signedHeaders } from '../../shared/aws/api/sign.ts';
import type { HttpRequest } from '../../shared/net/http.ts';
import { awsCredentials } from '../aws-credentials.ts';
import type { CliContext } from '../context.ts';

/** Gives a request what its receiver asks of its sender. */
export type Sign = (request: HttpRequest) => Promise<HttpRequest>;

export const unsigned: Sign = async (request) => request;

/** Signs for API Gateway (Signature Version 4, service `execute-api`); credentials are looked for at the first request. */
export function signerFor(options: {
  readonly region: string;
  readonly profile?: string;
  readonly context: Pick<CliContext, 'environment' | 'clock'>;
}): Sign {
  const { region, profile, context } = options;
  const credentials = awsCredentials(context.environment, profile);
  return async (request) => {
    const url = new URL(request.url);
    const signable = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...lowerCased(request.headers), host: url.host },
      body: request.body ?? '',
    };
    const terms = { service: 'execute-api', region, credentials: await credentials() };
    return { ...request, headers: signedHeaders(signable, { ...terms, now: context.clock.now() }) };
  };
}

const lowerCased = (headers: HttpRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
