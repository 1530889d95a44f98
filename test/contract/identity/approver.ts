import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import type { ControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { createItem } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import { rbacManifests } from '../../../local/world/rbac.ts';
import { decideRequests } from '../../../shared/certificates/decide-requests.ts';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../../shared/kubernetes/certificates.ts';
import { nodeCalls } from '../../../shared/kubernetes/nodes.ts';
import { realHost } from '../../../shared/runtime/real-host.ts';
import { grantAs } from '../worlds/real/grant.ts';

/** The private DNS name of an instance, by which its Node goes. */
export const nameOf = (instanceId: string): string =>
  `ip-10-0-0-${instanceId.at(-1)}.eu-west-1.compute.internal`;

/** Gives the groups of instances the rights of deploy/rbac.yaml, and Drover's function its own; resolves with its token. */
export async function grantBootstrap(admin: ClusterAdmin): Promise<string> {
  const named = (name: string) => rbacManifests().filter(({ metadata }) => metadata?.name === name);
  for (const binding of named('drover-node-bootstrapper'))
    await createItem(admin, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
  return await grantAs(admin, { name: 'drover-certificates', manifests: named('drover-certificates') });
}

export interface ApproverOptions {
  readonly controlPlane: ControlPlane;
  readonly admin: ClusterAdmin;
  /** Of Drover's function. */
  readonly approver: string;
}

/** Decides what is pending as Drover's function does, beside an account with these instances in a group of workers. */
export async function decideFor(
  { controlPlane, admin, approver }: ApproverOptions,
  instanceIds: readonly string[],
): Promise<void> {
  const launchedAt = Date.now() - 30_000;
  const instances = instanceIds.map((instanceId) =>
    namedInstance({
      instanceId,
      nodeNames: [nameOf(instanceId), instanceId],
      launchedAt,
      rootVolumeAttachedAt: launchedAt,
    }),
  );
  const { context } = fakeContext({ requests: [], instances });
  const tls = { certificateAuthority: controlPlane.files.authority.certificate };
  const connection = { server: controlPlane.url, tls, bearerToken: approver };
  const api = createApi({
    connections: { connect: async () => connection, invalidate: () => {} },
    sendHttp: admin.sendHttp,
  });
  await decideRequests({
    ...context,
    cluster: { ...certificateCalls(api), getNode: nodeCalls(api).getNode },
    clock: realHost.clock,
  });
}
