import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import type { TokenOwner } from '../credentials/token-cluster.ts';

export const secretType = 'bootstrap.kubernetes.io/token';
export const namePrefix = 'bootstrap-token-';

/** The fields that Drover reads of a Secret that it made; the token itself is not one of them. */
export const secretSchema = lazily(() =>
  z.object({ metadata: z.object({ name: z.string(), uid: z.string(), creationTimestamp: z.string() }) }),
);

export const identitySchema = lazily(() =>
  z.object({
    status: z.object({
      userInfo: z.object({ username: z.string(), groups: z.optional(z.array(z.string())) }),
    }),
  }),
);

export const accessSchema = lazily(() => z.object({ status: z.object({ allowed: z.boolean() }) }));

const labelValue = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** The labels that mark a token as this owner's. @throws Error for a cluster name that cannot be a label value. */
export function ownerLabels({ clusterName, role }: TokenOwner): Readonly<Record<string, string>> {
  if (!labelValue.test(clusterName))
    throw new Error(
      `the cluster name ${clusterName} cannot be a label's value, which bootstrap tokens need: at most 63 letters, digits, dots and dashes, no dot or dash at the end`,
    );
  return { 'drover.dev/bootstrap': role, 'drover.dev/cluster': clusterName };
}
