import type { Token } from './token.ts';

type BootstrapRole = 'worker' | 'control-plane';

/** Whose a token is: said in its labels. Tokens that do not say so are not ours and are never touched. */
export interface TokenOwner {
  readonly clusterName: string;
  readonly role: BootstrapRole;
}

/** A token of ours as the cluster holds it, without its secret. Times are milliseconds since the epoch. */
export interface BootstrapToken {
  readonly id: string;
  readonly uid: string;
  readonly createdAt: number;
  /** Infinity where the Secret names none, which means never; 0 where it is unparsable, which means expired. */
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

/** Where an API server is and how it is known to be the right one. */
export interface ClusterAddress {
  readonly server: string;
  /** PEM in base64, as a kubeconfig carries it; absent only where the server is spoken to without TLS. */
  readonly certificateAuthorityData?: string;
  /** The name on the server's certificate where it is not the one in `server`. */
  readonly tlsServerName?: string;
}

export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

/** What the rotation asks of a cluster. Every method throws when no answer comes or the answer is no. */
export interface TokenCluster {
  /** The tokens that carry the owner's labels, expired ones too. */
  listTokens(owner: TokenOwner): Promise<readonly BootstrapToken[]>;
  /** Never overwrites: a token of that id that exists already is an error. */
  createToken(token: NewToken): Promise<BootstrapToken>;
  /** Deletes this very token (by UID); `gone` where it is not there any more. */
  deleteToken(token: Pick<BootstrapToken, 'id' | 'uid'>): Promise<'deleted' | 'gone'>;
  /** Who the API server at `address` takes the bearer of `token` for; undefined where it does not know the token. */
  whoAmI(credential: {
    readonly address: ClusterAddress;
    readonly token: Token;
  }): Promise<Identity | undefined>;
}
