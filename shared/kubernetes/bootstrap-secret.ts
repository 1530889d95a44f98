import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import type { BootstrapToken, TokenOwner } from '../credentials/token-cluster.ts';

export const secretType = 'bootstrap.kubernetes.io/token';
export const namePrefix = 'bootstrap-token-';

/** The fields that Drover reads of a bootstrap token's Secret; the token itself is not one of them. */
export const secretSchema = lazily(() =>
  z.object({
    metadata: z.object({
      name: z.string(),
      uid: z.string(),
      creationTimestamp: z.string(),
      labels: z.optional(z.record(z.string(), z.string())),
    }),
    type: z.optional(z.string()),
    data: z.optional(
      z.object({ expiration: z.optional(z.string()), 'auth-extra-groups': z.optional(z.string()) }),
    ),
  }),
);

export const identitySchema = lazily(() =>
  z.object({
    status: z.object({
      userInfo: z.object({ username: z.string(), groups: z.optional(z.array(z.string())) }),
    }),
  }),
);

const labelValue = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** The labels that mark a token as this owner's. @throws Error for a cluster name that cannot be a label value. */
export function ownerLabels({ clusterName, role }: TokenOwner): Readonly<Record<string, string>> {
  if (!labelValue.test(clusterName))
    throw new Error(
      `the cluster name ${clusterName} cannot be a label's value, which bootstrap tokens need: at most 63 letters, digits, dots and dashes, no dot or dash at the end`,
    );
  return { 'drover.dev/bootstrap': role, 'drover.dev/cluster': clusterName };
}

/** Undefined if the Secret is not a bootstrap token with these labels. */
export function readToken(
  { metadata, type, data }: z.infer<ReturnType<typeof secretSchema>>,
  labels: Readonly<Record<string, string>>,
): BootstrapToken | undefined {
  const isOurs = Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
  if (!isOurs || type !== secretType || !metadata.name.startsWith(namePrefix)) return undefined;
  return {
    id: metadata.name.slice(namePrefix.length),
    uid: metadata.uid,
    createdAt: Date.parse(metadata.creationTimestamp),
    expiresAt: readExpiration(data?.expiration),
    groups: decoded(data?.['auth-extra-groups']).split(',').filter(Boolean).sort(),
  };
}

/** As the authenticator reads it: absent means never, unparsable means expired (kubernetes, cluster-bootstrap/token/util). */
function readExpiration(data: string | undefined): number {
  const text = decoded(data);
  if (text === '') return Number.POSITIVE_INFINITY;
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return (isRfc3339 && Date.parse(text)) || 0;
}

const decoded = (data = ''): string => Buffer.from(data, 'base64').toString('utf8');
