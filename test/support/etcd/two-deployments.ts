import type { EtcdUserData, Wiring } from '@drover/cloud-sandbox';
import { userDataOfEtcd } from '../../../local/cloud/etcd-user-data.ts';
import { withEtcd } from '../../../local/deployment/with-etcd.ts';
import { clusterName, type DroverWorld, keyId } from '../../../local/world/drover-world.ts';
import { createEtcdDroverWorld, zoneId } from '../../../local/world/etcd/etcd-world.ts';

/** The cluster of the second deployment. */
export const secondCluster = 'second';

/** An account with two deployments of Drover, each for a cluster of its own. Both manage a domain of the same hosted zone. */
export function createWorldOfTwo(secondDomain: string): DroverWorld {
  const world = createEtcdDroverWorld({
    editWiring: (wiring) => merged(wiring, withEtcd(secondOf(wiring), { domain: secondDomain, zoneId })),
    etcd: { userData: oneOf([clusterName, secondCluster].map((name) => userDataOfEtcd(name))) },
  });
  const { account } = world;
  for (const name of ['kubeconfig', 'etcd-client'])
    account.ssm.operations.PutParameter(
      {
        Name: `/drover/${secondCluster}/${name}`,
        Value: account.ssm.controls.value(`/drover/${clusterName}/${name}`),
        Type: 'SecureString',
        KeyId: keyId,
      },
      { principal: account.operator, requestId: 'test' },
    );
  return world;
}

/** The same template, packaged for another stage and cluster. */
function secondOf(wiring: Wiring): Wiring {
  const text = JSON.stringify(wiring)
    .replaceAll('drover-dev', 'drover-second')
    .replaceAll(`/drover/${clusterName}/`, `/drover/${secondCluster}/`)
    .replaceAll(`kubernetes.io/cluster/${clusterName}`, `kubernetes.io/cluster/${secondCluster}`);
  const renamed = JSON.parse(text) as Wiring;
  return {
    ...renamed,
    functions: renamed.functions.map((one) => ({
      ...one,
      environment: { ...one.environment, DROVER_CLUSTER: secondCluster },
    })),
  };
}

const merged = (one: Wiring, other: Wiring): Wiring => ({
  ...one,
  functions: [...one.functions, ...other.functions],
  roles: [...one.roles, ...other.roles],
  queues: [...one.queues, ...other.queues],
  rules: [...one.rules, ...other.rules],
  eventSourceMappings: [...one.eventSourceMappings, ...other.eventSourceMappings],
  permissions: [...one.permissions, ...other.permissions],
});

const oneOf = (all: readonly EtcdUserData[]): EtcdUserData => ({
  runsOn: (instance) => all.some((one) => one.runsOn(instance)),
  flags: (instance, account) => all.find((one) => one.runsOn(instance))?.flags(instance, account),
});
