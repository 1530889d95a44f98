import type { FunctionWiring, Wiring } from '@drover/cloud-sandbox';

export interface EtcdParameters {
  readonly domain: string;
  readonly zoneId: string;
  /** A bucket for snapshots; absent: backups are kept elsewhere. */
  readonly snapshotBucket?: string;
}

/** The deployment as the parameters for etcd would have it. */
export function withEtcd(wiring: Wiring, etcd: EtcdParameters): Wiring {
  const { snapshotBucket: bucket } = etcd;
  const values: Readonly<Record<string, string>> = {
    DROVER_ETCD_DOMAIN: etcd.domain,
    DROVER_ETCD_ZONE_ID: etcd.zoneId,
    DROVER_ETCD_SNAPSHOTS: bucket ? `s3://${bucket}/drover` : 'elsewhere',
  };
  const configured = (one: FunctionWiring): FunctionWiring => ({
    ...one,
    environment: Object.fromEntries(
      Object.entries(one.environment).map(([name, value]) => [name, values[name] ?? value]),
    ),
  });
  return {
    ...wiring,
    functions: wiring.functions.map(configured),
    roles: wiring.roles.map((role) => ({
      ...role,
      policies: role.policies.map((policy) => ({
        ...policy,
        document: {
          ...policy.document,
          Statement: policy.document.Statement.map((one) => placed(one, etcd)),
        },
      })),
    })),
  };
}

/** What the template says of a zone that has no id, and of a bucket that has no name. */
const noZone = /:hostedzone\/$/;
const noBucket = /:s3:::none(?=\/|$)/;

function placed(
  statement: Readonly<Record<string, unknown>>,
  { zoneId, snapshotBucket = 'none' }: EtcdParameters,
): Readonly<Record<string, unknown>> {
  const { Resource } = statement;
  if (typeof Resource !== 'string') return statement;
  const named = Resource.replace(noZone, `:hostedzone/${zoneId}`).replace(
    noBucket,
    `:s3:::${snapshotBucket}`,
  );
  return { ...statement, Resource: named };
}
