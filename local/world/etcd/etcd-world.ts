import { createTestAuthority } from '@drover/cloud-sandbox/real/test-authority.ts';
import { encodeEtcdClientCredentials } from '../../../shared/etcd/client-credentials.ts';
import { type EtcdParameters, withEtcd } from '../../deployment/with-etcd.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  keyId,
  membersOf,
} from '../drover-world.ts';

export const zoneId = 'Z0DROVERSANDBOX00001';

/** The domain of the etcd cluster. */
export const domain = 'etcd.example.internal';

/** A client certificate as `drover pki upload` publishes it. Made once, because making keys is slow. */
const credentials = await (async () => {
  // Valid at the simulated time and at that of this machine.
  const validity = { validFrom: new Date('2020-01-01'), validUntil: new Date('2039-12-31') };
  const authority = await createTestAuthority('etcd', Date.parse('2024-01-01'));
  const client = await authority.issue({ commonName: 'drover', ...validity });
  return encodeEtcdClientCredentials({
    certificateAuthority: authority.certificate,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
})();

/** Drover with a zone to manage, and no group of etcd members yet. */
export function createEtcdDroverWorld({
  snapshotBucket,
  snapshotKmsKey,
  ...options
}: DroverWorldOptions & Pick<EtcdParameters, 'snapshotBucket' | 'snapshotKmsKey'> = {}): DroverWorld {
  const { editWiring = (wiring) => wiring } = options;
  const world = createDroverWorld({
    ...options,
    editWiring: (wiring) =>
      editWiring(
        withEtcd(wiring, {
          domain,
          zoneId,
          ...(snapshotBucket && { snapshotBucket }),
          ...(snapshotKmsKey && { snapshotKmsKey }),
        }),
      ),
  });
  const { account } = world;
  if (snapshotBucket) account.s3.operations.CreateBucket({ Bucket: snapshotBucket });
  account.route53.controls.addZone(zoneId, {
    Name: 'example.internal',
    CallerReference: 'test',
    VPC: { VPCId: 'vpc-0123456789abcdef0', VPCRegion: 'eu-west-1' },
  });
  account.ssm.operations.PutParameter(
    { Name: `/drover/${clusterName}/etcd-client`, Value: credentials, Type: 'SecureString', KeyId: keyId },
    { principal: account.operator, requestId: 'test' },
  );
  return world;
}

/** The ids of the existing clusters, each with its serving members. */
export function clustersOf(
  world: DroverWorld,
  autoScalingGroupName = 'etcd',
): ReadonlyMap<string, readonly string[]> {
  const serving = membersOf(world, autoScalingGroupName).flatMap(({ InstanceId = '' }) => {
    const view = world.etcd.world.view(InstanceId);
    return view?.kind === 'running' && view.serves
      ? [{ instanceId: InstanceId, clusterId: view.clusterId }]
      : [];
  });
  const byCluster = Map.groupBy(serving, ({ clusterId }) => clusterId);
  return new Map([...byCluster].map(([id, found]) => [id, found.map(({ instanceId }) => instanceId)]));
}
