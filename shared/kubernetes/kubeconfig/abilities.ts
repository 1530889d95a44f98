import type { Clock } from '../../base/clock.ts';
import type { ExecPlugin } from './schema.ts';

/** Credentials from a plugin or a signer. */
export interface MadeCredentials {
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Epoch milliseconds; absent: valid until refused. */
  readonly expiresAt?: number;
}

export interface IamTokenRequest {
  /** The cluster's id in the token: the EKS cluster name, or what aws-iam-authenticator was given. */
  readonly clusterId: string;
  readonly region?: string;
}

/**
 * What the machine that reads a kubeconfig can do. A laptop reads files and runs programs; a Lambda does neither, and makes IAM
 * tokens with its own role. A field that needs an absent ability is refused by name.
 */
export interface KubeconfigAbilities {
  readonly clock: Clock;
  /** Relative paths are relative to the kubeconfig. */
  readonly readFile?: (path: string) => Promise<string>;
  /** Whether a kubeconfig may turn the verification of the server off. Absent: it may not. */
  readonly mayTrustAnyServer?: true;
  readonly runPlugin?: (plugin: ExecPlugin) => Promise<MadeCredentials>;
  readonly makeIamToken?: (request: IamTokenRequest) => Promise<MadeCredentials>;
}
