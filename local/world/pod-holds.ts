import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import type { DroverWorld } from './drover-world.ts';
import { type HeldNodes, putHold } from './holds.ts';
import { deployment, request, type Workload } from './workloads.ts';

/** A node of the sandbox has two CPUs: three such pods fit on it, beside what it has. */
export const podSpec = {
  containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: '600m' } } }],
};

/** The request for the pods of a Deployment of this name. */
export const podsOf = (app: string, total: number, changes: Partial<PodRequest> = {}): PodRequest => ({
  namespace: 'default',
  total,
  template: {
    labels: { app },
    spec: { containers: [{ resources: podSpec.containers[0]?.resources }] } as never,
  },
  selector: { matchLabels: { app } },
  ...changes,
});

/** Puts a hold for pods there, as an operator does with the AWS CLI. */
export const putPodHold = (
  world: DroverWorld,
  hold: Omit<HeldNodes, 'nodes'> & { readonly pods: PodRequest },
): void => putHold(world, { ...hold, nodes: 0 });

/** A Deployment of such pods. */
export const deploymentOf = (name: string, replicas: number, more: Partial<Workload> = {}) =>
  deployment({ name, replicas, pod: podSpec, ...more });

/** Scales a Deployment of `default`. */
export async function scale(world: DroverWorld, name: string, replicas: number): Promise<void> {
  const path = `/apis/apps/v1/namespaces/default/deployments/${name}`;
  const { status, body } = await request(world, 'PATCH', path, { spec: { replicas } });
  if (status !== 200) throw new Error(`${name} was not scaled: ${body}`);
}
