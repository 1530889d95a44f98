import type { VPCRegion } from '@aws-sdk/client-route-53';
import type { Cloud } from '@drover/cloud-sandbox';
import { encodeEtcdClientCredentials, etcdClientParameter } from '../../shared/etcd/client-credentials.ts';
import { clusterName } from '../names.ts';
import { etcdZone } from './etcd-zone.ts';

/** What an operator makes before there are members: the zone, the bucket of snapshots, and the certificate with which Drover asks. */
export function furnishEtcd(
  { account }: Pick<Cloud, 'account'>,
  credentials: Parameters<typeof encodeEtcdClientCredentials>[0],
): void {
  const [subnet] = account.ec2.instances.subnets();
  account.route53.controls.addZone(etcdZone.zoneId, {
    Name: etcdZone.zoneName,
    CallerReference: etcdZone.zoneName,
    VPC: { VPCId: subnet?.vpcId, VPCRegion: account.region as VPCRegion },
  });
  account.s3.operations.CreateBucket({ Bucket: etcdZone.snapshotBucket });
  account.ssm.operations.PutParameter(
    {
      Name: etcdClientParameter(clusterName),
      Value: encodeEtcdClientCredentials(credentials),
      Type: 'SecureString',
    },
    { principal: account.operator, requestId: 'furnish' },
  );
}
