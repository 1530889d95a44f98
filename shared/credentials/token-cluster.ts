import type { Token } from './token.ts';

/** The roles that get tokens. The members of etcd have no kubelet of their own. */
export const bootstrapRoles = ['worker', 'control-plane'] as const;
export type BootstrapRole = (typeof bootstrapRoles)[number];

/** The group that shows for which role the token of a certificate request is. */
export const roleGroupOf = (role: BootstrapRole): string => `system:bootstrappers:drover:${role}`;

/** The owner of a token, stored in its labels and in the ledger. */
export interface TokenOwner {
  readonly clusterName: string;
  readonly role: BootstrapRole;
}

/** A token that Drover made, without its secret. Times are milliseconds since the epoch. */
export interface BootstrapToken {
  readonly id: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** `auth-extra-groups`, sorted. */
  readonly groups: readonly string[];
}

export interface NewToken {
  readonly token: Token;
  readonly owner: TokenOwner;
  readonly expiresAt: number;
  readonly groups: readonly string[];
  readonly description: string;
}

/** The address of an API server, and what verifies its certificate. */
export interface ClusterAddress {
  readonly server: string;
  /** PEM in base64, as in a kubeconfig; undefined only without TLS. */
  readonly certificateAuthorityData?: string;
  /** The name on the server's certificate, if it differs from `server`. */
  readonly tlsServerName?: string;
}

export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

/** What the rotation needs from a cluster. Every method rejects if the API server refuses or does not answer. */
export interface TokenCluster {
  /** Whether the API server can say who the bearer of a token is, which releases before Kubernetes 1.28 cannot. */
  canProveTokens(): Promise<boolean>;
  /** Never overwrites: rejects if a token with this id exists. */
  createToken(token: NewToken): Promise<BootstrapToken>;
  /** Deletes the token with this UID; `gone` if it no longer exists. */
  deleteToken(token: Pick<BootstrapToken, 'id' | 'uid'>): Promise<'deleted' | 'gone'>;
  /** The identity that the API server at `address` gives to the bearer of `token`; undefined if it does not accept the token. */
  whoAmI(credential: TokenCredential): Promise<Identity | undefined>;
  /** Whether the API server's authorizer lets the bearer of `token` make a certificate request. */
  mayRequestCertificates(credential: TokenCredential): Promise<boolean>;
}

/** A token, and the API server to which it is sent. */
export interface TokenCredential {
  readonly address: ClusterAddress;
  readonly token: Token;
}
