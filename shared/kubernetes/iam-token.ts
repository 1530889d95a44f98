import type { Clock } from '../base/clock.ts';
import type { IamTokenRequest, MadeCredentials } from './kubeconfig/connect.ts';

export interface IamTokenOptions {
  /** A presigned URL: STS answers it with the identity that signed it. `region` is set if the kubeconfig names one. */
  readonly presignCallerIdentity: (request: IamTokenRequest) => Promise<string>;
  readonly clock: Clock;
}

/** Verifiers accept a token for 15 minutes; clients use it for 14 (aws-iam-authenticator, pkg/token). */
const lifetimeMilliseconds = 14 * 60_000;

/** Makes tokens that prove an IAM identity to an API server, as EKS and aws-iam-authenticator read them. */
export function iamTokenMaker({
  presignCallerIdentity,
  clock,
}: IamTokenOptions): (request: IamTokenRequest) => Promise<MadeCredentials> {
  return async (request) => {
    const now = clock.now();
    const url = await presignCallerIdentity(request);
    return {
      token: `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`,
      expiresAt: now + lifetimeMilliseconds,
    };
  };
}
