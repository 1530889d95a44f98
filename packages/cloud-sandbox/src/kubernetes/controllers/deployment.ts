import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import { nextRevision, renewRevision, revisionAnnotation, withRevision } from './deployment-revision.ts';
import { deploymentStatus } from './deployment-status.ts';
import { scaled } from './disruption-numbers.ts';
import { recordEvent } from './events.ts';
import { startOwnerController } from './owner-controller.ts';
import { ownerReference } from './pods.ts';
import { isTerminating } from './replica-set.ts';
import { stableHash } from './stable-hash.ts';

/** Keeps one ReplicaSet per pod template, and moves replicas from the old ones to the new within surge and unavailability. */
export function startDeploymentController(registry: Registry): void {
  startOwnerController(registry, {
    owners: 'deployments.apps',
    kind: 'Deployment',
    owned: 'replicasets.apps',
    reconcile,
  });
}

function reconcile(registry: Registry, deployment: Stored<Deployment>): void {
  const hash = stableHash(deployment.spec?.template);
  const owned = registry.store.of('replicasets.apps').find('owner', deployment.metadata.uid);
  const current = owned.find((set) => set.metadata.labels?.['pod-template-hash'] === hash);
  const old = owned.filter((set) => set !== current);
  if (deployment.spec?.paused !== true) proceed(registry, deployment, { hash, current, old });
  const status = deploymentStatus(registry, deployment, hash);
  registry.updateStatus('deployments.apps', deployment, (found) => ({ ...found, status }));
}

interface Sets {
  readonly hash: string;
  readonly current: Stored<ReplicaSet> | undefined;
  readonly old: readonly Stored<ReplicaSet>[];
}

function proceed(registry: Registry, deployment: Stored<Deployment>, { hash, current, old }: Sets): void {
  if (current === undefined) {
    createReplicaSet(registry, deployment, { hash, revision: nextRevision(old) });
    return;
  }
  renewRevision(registry, deployment, { current, old });
  roll(registry, deployment, { current, old });
}

function createReplicaSet(
  registry: Registry,
  deployment: Stored<Deployment>,
  { hash, revision }: { hash: string; revision: number },
): void {
  const { spec, metadata } = deployment;
  const namespace = metadata.namespace ?? 'default';
  if (spec === undefined || isTerminating(registry, namespace)) return;
  const name = `${metadata.name}-${hash}`;
  if (registry.store.of('replicasets.apps').get(namespace, name) !== undefined) return;
  const labels = { ...spec.template.metadata?.labels, 'pod-template-hash': hash };
  const matchLabels = { ...spec.selector.matchLabels, 'pod-template-hash': hash };
  const annotations = { [revisionAnnotation]: String(revision) };
  const replicas = revision === 1 ? (spec.replicas ?? 1) : 0;
  registry.create('replicasets.apps', {
    metadata: {
      name,
      namespace,
      labels,
      annotations,
      ownerReferences: [ownerReference('apps/v1', 'Deployment', deployment)],
    },
    spec: {
      replicas,
      selector: { ...spec.selector, matchLabels },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  });
  registry.update('deployments.apps', deployment, (found) => withRevision(found, String(revision)));
  if (replicas > 0) recordScaling(registry, deployment, { name, before: 0, replicas });
}

interface Rollout {
  readonly current: Stored<ReplicaSet>;
  readonly old: readonly Stored<ReplicaSet>[];
}

/** One step of a rolling update; without old replicas it is a plain scale. */
function roll(registry: Registry, deployment: Stored<Deployment>, { current, old }: Rollout): void {
  const wanted = deployment.spec?.replicas ?? 1;
  const present = old.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
  const rolling = deployment.spec?.strategy?.rollingUpdate;
  const surge = present === 0 ? 0 : scaled(rolling?.maxSurge ?? '25%', wanted);
  const size = current.spec?.replicas ?? 0;
  const target = present === 0 ? wanted : Math.min(wanted, Math.max(size, wanted + surge - present));
  scale(registry, deployment, { set: current, replicas: target });
  const unavailable = Math.floor(wanted * percentage(rolling?.maxUnavailable ?? '25%', wanted));
  const available = [current, ...old].reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
  let removable = Math.max(0, available - (wanted - unavailable));
  for (const set of old) {
    const replicas = set.spec?.replicas ?? 0;
    const unready = replicas - (set.status?.availableReplicas ?? 0);
    const fewer = Math.min(replicas, removable + unready);
    removable -= Math.max(0, fewer - unready);
    scale(registry, deployment, { set, replicas: replicas - fewer });
  }
}

function percentage(value: number | string, total: number): number {
  if (typeof value === 'number') return total === 0 ? 0 : value / total;
  return (Number.parseInt(value, 10) || 0) / 100;
}

function scale(
  registry: Registry,
  deployment: Stored<Deployment>,
  { set, replicas }: { set: Stored<ReplicaSet>; replicas: number },
): void {
  const before = set.spec?.replicas ?? 0;
  if (before === replicas) return;
  registry.update('replicasets.apps', set, (found) =>
    found.spec === undefined ? found : { ...found, spec: { ...found.spec, replicas } },
  );
  recordScaling(registry, deployment, { name: set.metadata.name, before, replicas });
}

function recordScaling(
  registry: Registry,
  regarding: Stored<Deployment>,
  { name, before, replicas }: { name: string; before: number; replicas: number },
): void {
  const direction = replicas > before ? 'up' : 'down';
  recordEvent(registry, {
    regarding,
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${name} from ${before} to ${replicas}`,
    component: 'deployment-controller',
  });
}
