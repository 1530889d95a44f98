import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest as SignableRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from '../../shared/aws/connection.ts';
import type { HttpRequest } from '../../shared/net/http.ts';
import type { CliContext } from '../context.ts';

/** Gives a request the signature that its receiver asks for. */
export type Sign = (request: HttpRequest) => Promise<HttpRequest>;

export const unsigned: Sign = async (request) => request;

/** Signs for API Gateway (Signature Version 4, service `execute-api`); `credentials` is called at each request. */
export function signerFor(options: {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly clock: CliContext['clock'];
}): Sign {
  const { region, credentials, clock } = options;
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  return async (request) => {
    const url = new URL(request.url);
    const signable = new SignableRequest({
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...request.headers, host: url.host },
      body: request.body,
    });
    const signingDate = new Date(clock.now());
    const { headers } = await signer.sign(signable, { signingDate });
    return { ...request, headers };
  };
}
