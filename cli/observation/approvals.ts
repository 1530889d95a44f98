import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import { isEks } from '../../shared/certificates/built-in-approvers.ts';
import { type Approvals, approvalsIn, approvalsOfEks } from '../../shared/certificates/other-approvers.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { type ApiOptions, createApi } from '../../shared/kubernetes/api.ts';
import { clusterRoleBindingSchema, clusterRoleSchema, listAll } from '../../shared/kubernetes/lists.ts';
import { isForbidden } from '../../shared/kubernetes/status.ts';
import {
  type CertificateHolder,
  type ObservedApprovals,
  outsideGroups,
} from '../../shared/problems/approver-problems.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { type Part, partReader } from './part.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/**
 * What approves certificates in the cluster of this API server. Rejects if the identity may not list roles and bindings. On EKS they show
 * nothing, also if all of deploy/rbac.yaml was applied there: its control plane approves.
 */
export async function readApprovals(options: ApiOptions): Promise<Approvals> {
  const { server } = await options.connections.connect();
  if (isEks(server)) return approvalsOfEks;
  const api = createApi(options);
  const [roles, bindings] = await Promise.all([
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
  ]);
  return approvalsIn(roles, bindings);
}

/** Bindings are changed by operators and installers. */
const approvalsAgeSeconds = 60;

interface ReaderOptions {
  /** Throws if a setting is missing. */
  readonly access: () => Pick<AutoScalingAccess, 'client'>;
  readonly readApprovals: () => Promise<Approvals>;
  readonly clock: TimerClock;
}

type Groups = Pick<AutoScalingGroup, 'autoScalingGroupName' | 'instances' | 'tags' | 'hasWarmPool'>;

/**
 * Reads who approves for the Nodes outside managed groups. Roles and bindings are read only if there is such a Node. Undefined if this
 * identity may not list them: then the source is not looked at. An old list of Nodes or groups says nothing about the other list, so that
 * the part stays what it was.
 */
export function approvalsReader({ access, readApprovals: read, clock }: ReaderOptions) {
  const readPart = partReader(
    { clock, maximumAgeSeconds: approvalsAgeSeconds, keyOf: ([outside]) => keyOf(outside) },
    async (outside: readonly CertificateHolder[], managed: readonly Groups[]) => {
      const found = await outsidePools(outside, managed, access);
      if (found.length === 0) return { outside: found, approvals: undefined };
      try {
        return { outside: found, approvals: await read() };
      } catch (error) {
        if (isForbidden(error)) return 'forbidden';
        throw error;
      }
    },
  );
  let last: { readonly value: ObservedApprovals; readonly at: number } | undefined;
  return async (
    holders: Part<readonly CertificateHolder[]>,
    managed: Part<readonly Groups[]>,
  ): Promise<Part<ObservedApprovals> | undefined> => {
    if (holders.kind !== 'known') return asItWas(last, holders);
    if (managed.kind !== 'known') return asItWas(last, managed);
    const at = clock.now();
    const part = await readPart(outsideGroups(holders.value, managed.value, at), managed.value);
    if (part.kind === 'unknown') return part;
    const { value } = part;
    if (value === 'forbidden') return undefined;
    last = part.kind === 'known' ? { value, at } : last;
    return { ...part, value };
  };
}

const asItWas = (
  last: { readonly value: ObservedApprovals; readonly at: number } | undefined,
  { reason, isThrottled }: Exclude<Part<unknown>, { kind: 'known' }>,
): Part<ObservedApprovals> => {
  const unread = { reason, ...(isThrottled && { isThrottled }) };
  return last ? { kind: 'stale', ...last, ...unread } : { kind: 'unknown', ...unread };
};

const keyOf = (outside: readonly CertificateHolder[]): string =>
  outside.map(({ name, instanceId, isByHand }) => `${name} ${instanceId} ${isByHand}`).join();

/** DescribeAutoScalingGroups lists no member of a warm pool. One pool after the other: Auto Scaling accepts a few calls a second. */
async function outsidePools(
  outside: readonly CertificateHolder[],
  managed: readonly Groups[],
  access: ReaderOptions['access'],
): Promise<readonly CertificateHolder[]> {
  const pooled = new Set<string>();
  for (const { autoScalingGroupName, hasWarmPool } of managed) {
    if (!hasWarmPool || outside.every(({ instanceId }) => instanceId === undefined)) continue;
    for (const { instanceId } of await warmPoolMembers(access().client, autoScalingGroupName))
      pooled.add(instanceId);
  }
  return outside.filter(({ instanceId }) => instanceId === undefined || !pooled.has(instanceId));
}
