import { redacted } from './redact.ts';

/** One thing that a user data says, and what it does. `value` is only what may be shown. */
export interface Fact {
  readonly what: string;
  readonly value: string;
  readonly meaning: string;
}

/** How a machine becomes a node, as far as its user data says. */
export interface Join {
  readonly by: 'bootstrap.sh' | 'nodeadm' | 'Bottlerocket' | 'kubeadm' | 'openshift-ansible' | 'Drover';
  readonly cluster?: string;
  readonly endpoint?: string;
  readonly serviceCidr?: string;
  readonly clusterDns?: string;
  readonly maxPods?: string;
  /** As flags of the kubelet have them: `KEY=VALUE`, `KEY=VALUE:EFFECT`. */
  readonly labels: readonly string[];
  readonly taints: readonly string[];
  /** `NAME=VALUE`, of flags that are neither. */
  readonly kubeletFlags: readonly string[];
  /** Settings for which Drover's flavour has no flag, by their names. */
  readonly others?: readonly string[];
  /** Of Bottlerocket outside EKS: with a bootstrap token instead of the role of the instance. */
  readonly hasToken?: true;
}

/** What a reader finds in one part. */
export interface Reading {
  readonly facts: readonly Fact[];
  readonly joins: readonly Join[];
  /** The place of each credential, in words; never the credential. */
  readonly credentials: readonly string[];
  /** What does not work as it is written. */
  readonly faults: readonly string[];
  /** What may make the machine a node, and is not read: parts, files, programs, addresses. */
  readonly unread: readonly string[];
}

/** A join of which nothing more is known. */
export const noSettings = { labels: [], taints: [], kubeletFlags: [] } as const satisfies Omit<Join, 'by'>;

export const nothing: Reading = { facts: [], joins: [], credentials: [], faults: [], unread: [] };

/** The readings of several pieces as one, in their order. Pure. */
export const merged = (readings: readonly Reading[]): Reading => ({
  facts: readings.flatMap(({ facts }) => facts),
  joins: readings.flatMap(({ joins }) => joins),
  credentials: [...new Set(readings.flatMap(({ credentials }) => credentials))],
  faults: [...new Set(readings.flatMap(({ faults }) => faults))],
  unread: [...new Set(readings.flatMap(({ unread }) => unread))],
});

/** The same without what looks like a secret. Pure. */
export const redactedJoin = (join: Join): Join =>
  Object.fromEntries(
    Object.entries(join).map(([name, value]: [string, string | true | readonly string[]]) => [
      name,
      typeof value === 'string' ? redacted(value) : Array.isArray(value) ? value.map(redacted) : value,
    ]),
  ) as unknown as Join;

/** A fact whose value is free text: what looks like a secret is left out of it, and a long one is cut. */
export const fact = (what: string, value: unknown, meaning: string): Fact => ({
  what: redacted(what),
  value: redacted(textOf(value)),
  meaning,
});

/** What is fetched from an address when the machine boots, which is not read here. */
export const fetched = (address: string, what: string): Reading => ({
  ...nothing,
  facts: [fact('fetches', address, `${what} at this address, which is not read here`)],
  unread: [redacted(address)],
});

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
