import type { Clock } from '../../base/clock.ts';
import type { ExecPlugin } from './schema.ts';

/** Credentials that a program or a signer has made. */
export interface MadeCredentials {
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Epoch milliseconds; absent: until they are refused. */
  readonly expiresAt?: number;
}

export interface IamTokenRequest {
  /** The cluster's id in the token: the EKS cluster name, or what aws-iam-authenticator was given. */
  readonly clusterId: string;
  readonly region?: string;
}

/**
 * What the place where a kubeconfig is read can do. A laptop reads files and runs programs; a Lambda does neither, and
 * makes IAM tokens with its own role. What is absent is refused with the name of the field that asked for it.
 */
export interface KubeconfigAbilities {
  readonly clock: Clock;
  /** Relative paths are relative to the kubeconfig. */
  readonly readFile?: (path: string) => Promise<string>;
  readonly runPlugin?: (plugin: ExecPlugin) => Promise<MadeCredentials>;
  readonly makeIamToken?: (request: IamTokenRequest) => Promise<MadeCredentials>;
}
