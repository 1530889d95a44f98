import type { AwsCredentials } from '../../shared/aws/connection.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { isCredentialError } from '../caller/credential-errors.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { SignedBy } from './gateway-refusal.ts';

export interface SigningOptions {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly context: CliContext;
}

/** Asks STS about the credentials that signed a request. It is asked once a refusal came, so other commands do not load its client. */
export async function signedBy({ region, credentials, context }: SigningOptions): Promise<SignedBy> {
  try {
    const connection = awsConnection(hostOf(context, environmentOf({ region }, context)));
    const { askCallerArn } = await import('../caller/ask-sts.ts');
    const arn = await askCallerArn({ ...connection, credentials });
    return arn === undefined ? { kind: 'unknown' } : { kind: 'identity', arn };
  } catch (error) {
    if (error instanceof Error && isCredentialError(error))
      return { kind: 'refused', code: error.name, message: error.message };
    // The refusal of the API is reported, and the advice names what could not be found out.
    return { kind: 'unknown' };
  }
}
