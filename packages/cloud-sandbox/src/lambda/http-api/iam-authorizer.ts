import type { AwsHttpRequest } from '../../aws/codec/http.ts';
import { protocols } from '../../aws/codec/protocols.ts';
import { evaluate } from '../../aws/iam/evaluate.ts';
import type { SimulatedIam } from '../../aws/iam/iam.ts';
import { AwsError } from '../../aws/service.ts';
import { authenticate } from '../../aws/signature/authenticate.ts';
import { readClaim } from '../../aws/signature/credential.ts';
import { createSignatureVerifier } from '../../aws/signature/verify.ts';
import type { Clock } from '../../simulation/clock.ts';
import type { HttpApiRequest } from './http.ts';
import type { HttpApiOptions } from './http-api.ts';

export interface IamAuthorizerOptions {
  readonly iam: Pick<SimulatedIam, 'findIdentity' | 'policiesOf' | 'roleArnOf'>;
  readonly clock: Clock;
  /** Judges the age of a signature; absent where callers sign on another clock than ours. */
  readonly signingClock?: Clock;
}

const toAwsRequest = ({ method, path, rawQueryString, headers, body }: HttpApiRequest): AwsHttpRequest => ({
  method,
  path,
  query: [...new URLSearchParams(rawQueryString)],
  headers,
  body,
});

/** `eu-west-1` of `arn:aws:execute-api:eu-west-1:...`: a signature for another region is refused. */
const regionOf = (resourceArn: string): string | undefined => resourceArn.split(':')[3];

/** The authorizer `aws_iam` of an HTTP API: a Signature Version 4 for `execute-api`, and the right to `execute-api:Invoke`. */
export function createIamAuthorizer({
  iam,
  clock,
  signingClock,
}: IamAuthorizerOptions): HttpApiOptions['authorize'] {
  const authentication = {
    findIdentity: iam.findIdentity,
    verifier: createSignatureVerifier(),
    clock,
    signingClock,
  };
  const { codes } = protocols.restJson;
  return (request, resourceArn) => {
    const signed = toAwsRequest(request);
    const claim = readClaim(signed);
    if (claim?.service !== 'execute-api' || claim.region !== regionOf(resourceArn)) return undefined;
    try {
      const principal = authenticate(signed, { claim, codes }, authentication);
      const policies = iam.policiesOf(principal);
      const question = {
        action: 'execute-api:Invoke',
        resource: resourceArn,
        context: { 'aws:PrincipalArn': iam.roleArnOf(principal) ?? principal.arn },
      };
      return evaluate({ ...question, policies }).allowed ? principal : undefined;
    } catch (error) {
      // API Gateway does not say what was wrong with a signature: it is Forbidden.
      if (error instanceof AwsError) return undefined;
      throw error;
    }
  };
}
