import { type Credential, createAuthority, credentialOf, issueLeaf } from '../../cli/pki/issue.ts';
import { droverClientPath, etcdServerPath, type Leaf, leavesFor } from '../../cli/pki/layout.ts';
import { etcdZone } from './etcd-zone.ts';

/** The certificates and keys of the members of the sandbox, Drover and a user, in PEM, as `drover pki` makes them. */
export interface EtcdPki {
  readonly authority: string;
  /** One for all members: it carries the domain, every name in it, and the loopback address. */
  readonly server: Credential;
  readonly serverNames: readonly string[];
  readonly drover: Credential;
  readonly person: Credential;
  /** Epoch milliseconds. */
  readonly notAfter: number;
}

const yearMilliseconds = 365 * 86_400_000;

/** Keys are ECDSA: they take no time. Good on the machine's clock and on a simulated one that runs ahead of it. */
export async function createEtcdPki(now: number): Promise<EtcdPki> {
  const validity = { notBefore: now - yearMilliseconds, notAfter: now + 20 * yearMilliseconds };
  const keyType = 'ecdsa-p256';
  const authority = { path: 'etcd/ca', commonName: 'etcd-ca' } as const;
  const issuer = await createAuthority({ authority, keyType, validity });
  const issue = (leaf: Leaf): Promise<Credential> => issueLeaf(issuer, { leaf, keyType, validity });
  const leaves = new Map(
    leavesFor({ domain: etcdZone.domain, apiServerNames: [] }).map((leaf) => [leaf.path, leaf]),
  );
  const leafAt = (path: string): Leaf => {
    const leaf = leaves.get(path);
    if (!leaf) throw new RangeError(`drover pki makes no ${path}`);
    return leaf;
  };
  const client = leafAt(droverClientPath);
  const [{ certificate }, server, drover, person] = await Promise.all([
    credentialOf(issuer),
    issue(leafAt(etcdServerPath)),
    issue(client),
    issue({ ...client, commonName: 'you' }),
  ]);
  return {
    authority: certificate,
    server,
    serverNames: leafAt(etcdServerPath).names,
    drover,
    person,
    notAfter: validity.notAfter,
  };
}
