import type { Clock } from '../../../shared/base/clock.ts';
import type {
  ClusterAddress,
  NewToken,
  TokenCluster,
  TokenOwner,
} from '../../../shared/credentials/token-cluster.ts';

interface Held extends Omit<NewToken, 'owner'> {
  readonly uid: string;
  readonly createdAt: number;
  /** Undefined if an operator made it. */
  readonly owner: TokenOwner | undefined;
}

/** A cluster that keeps bootstrap tokens and knows them as the API server's authenticator does. */
export interface FakeTokenCluster extends TokenCluster {
  readonly held: Map<string, Held>;
  /** So many questions are answered before the API server's watch has seen what was just made. */
  lag: number;
  /** Changes the identity that the API server gives a bearer token. */
  groupsGiven: (groups: readonly string[]) => readonly string[];
  /** Whether the API server has SelfSubjectReviews. */
  hasReviews: boolean;
  /** Whether RBAC lets bearers of tokens make certificate requests. */
  mayRequest: boolean;
  accepts(token: string, address: ClusterAddress): boolean;
  addForeign(token: Omit<Held, 'owner' | 'uid'>): void;
}

export function createFakeTokenCluster(options: {
  readonly clock: Clock;
  readonly address: ClusterAddress;
}): FakeTokenCluster {
  const { clock } = options;
  const held = new Map<string, Held>();
  let serial = 0;

  const knows = (bearer: { id: string; secret: string }, address: ClusterAddress): Held | undefined => {
    const token = held.get(bearer.id);
    const reached = address.server === options.address.server;
    if (!reached) throw new Error(`no API server at ${address.server}`);
    if (address.certificateAuthorityData !== options.address.certificateAuthorityData)
      throw new Error('certificate signed by unknown authority');
    return token?.token.secret === bearer.secret && token.expiresAt > clock.now() ? token : undefined;
  };

  const add = (token: Omit<Held, 'uid' | 'createdAt'>): Held => {
    if (held.has(token.token.id))
      throw new Error(`secrets "bootstrap-token-${token.token.id}" already exists`);
    serial += 1;
    const added = { ...token, uid: `uid-${serial}`, createdAt: clock.now() };
    held.set(token.token.id, added);
    return added;
  };

  const cluster: FakeTokenCluster = {
    held,
    lag: 0,
    mayRequest: true,
    hasReviews: true,
    groupsGiven: (groups) => groups,
    accepts: (text, address) => {
      const [id = '', secret = ''] = text.split('.');
      return knows({ id, secret }, address) !== undefined;
    },
    addForeign: (token) => void add({ ...token, owner: undefined }),
    canProveTokens: async () => cluster.hasReviews,
    createToken: async (token) => shown(add(token)),
    deleteToken: ({ id, uid }) => {
      if (held.get(id)?.uid !== uid) return Promise.resolve('gone');
      held.delete(id);
      return Promise.resolve('deleted');
    },
    mayRequestCertificates: async ({ address, token }) => {
      if (!knows(token, address)) throw new Error('Unauthorized');
      return cluster.mayRequest;
    },
    whoAmI: async ({ address, token }) => {
      const known = knows(token, address);
      if (known && cluster.lag > 0) {
        cluster.lag -= 1;
        return undefined;
      }
      return (
        known && {
          username: `system:bootstrap:${token.id}`,
          groups: cluster.groupsGiven(['system:bootstrappers', ...known.groups, 'system:authenticated']),
        }
      );
    },
  };
  return cluster;
}

const shown = ({ token, uid, createdAt, expiresAt, groups }: Held) => ({
  id: token.id,
  uid,
  createdAt,
  expiresAt,
  groups: [...groups].sort(),
});
