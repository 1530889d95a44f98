import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpRequest } from '../../shared/kubernetes/http.ts';
import { Sha256 } from '../../shared/kubernetes/sha256.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** Gives a request what its receiver asks of its sender. */
export type Sign = (request: HttpRequest) => Promise<HttpRequest>;

export const unsigned: Sign = async (request) => request;

/**
 * Signs for API Gateway (Signature Version 4, service `execute-api`) with the credentials that the AWS CLI would use: the
 * environment, or the profile, SSO, container or instance that the SDK finds. They are looked for at the first request.
 */
export function signerFor(options: {
  readonly region: string;
  readonly profile?: string;
  readonly context: Pick<CliContext, 'environment' | 'clock'>;
}): Sign {
  const credentials = credentialsOf(options.context.environment, options.profile);
  const signer = new SignatureV4({
    service: 'execute-api',
    region: options.region,
    credentials,
    sha256: Sha256,
  });
  return async (request) => {
    const url = new URL(request.url);
    const signed = await signer.sign(
      {
        method: request.method,
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: { ...request.headers, host: url.host },
        body: request.body,
      },
      { signingDate: new Date(options.context.clock.now()) },
    );
    return { ...request, headers: signed.headers };
  };
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

function credentialsOf(environment: CliContext['environment'], profile?: string): () => Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  if (accessKeyId && secretAccessKey && !profile && !environment.AWS_PROFILE)
    return async () => ({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  return async () => await searched(profile ?? environment.AWS_PROFILE);
}

/** The search is large and most commands need none: it is loaded when it is used. */
async function searched(profile: string | undefined): Promise<Credentials> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  try {
    return await defaultProvider(profile === undefined ? {} : { profile })();
  } catch (cause) {
    throw new CliError(
      'no AWS credentials to sign with: set AWS_PROFILE or AWS_ACCESS_KEY_ID, or give --no-sign to an API that takes it',
      exitCodes.failed,
      cause,
    );
  }
}
