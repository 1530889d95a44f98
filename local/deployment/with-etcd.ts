import { createRequire } from 'node:module';
import type { FunctionWiring, PolicyDocument, RoleWiring, Wiring } from '@drover/cloud-sandbox';

export interface EtcdParameters {
  readonly domain: string;
  readonly zoneId: string;
  /** A bucket for snapshots; absent: backups are kept elsewhere. */
  readonly snapshotBucket?: string;
  /** The ARN of the KMS key of the snapshots; absent: the bucket's own encryption. */
  readonly snapshotKmsKey?: string;
}

/** The deployment as the parameters for etcd would have it. */
export function withEtcd(wiring: Wiring, etcd: EtcdParameters): Wiring {
  const { snapshotBucket: bucket } = etcd;
  const values: Readonly<Record<string, string>> = {
    DROVER_ETCD_DOMAIN: etcd.domain,
    DROVER_ETCD_ZONE_ID: etcd.zoneId,
    DROVER_ETCD_SNAPSHOTS: bucket ? `s3://${bucket}/drover` : 'elsewhere',
    ...(etcd.snapshotKmsKey && { DROVER_ETCD_SNAPSHOT_KMS_KEY: etcd.snapshotKmsKey }),
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
      policies: [
        ...role.policies.map((policy) => ({
          ...policy,
          document: {
            ...policy.document,
            Statement: policy.document.Statement.map((one) => placed(one, etcd)),
          },
        })),
        ...snapshotPolicies(role, etcd),
      ],
    })),
  };
}

/** The ARN in the template of a zone that has no id. */
const noZone = /:hostedzone\/$/;

function placed(
  statement: Readonly<Record<string, unknown>>,
  { zoneId }: EtcdParameters,
): Readonly<Record<string, unknown>> {
  const { Resource } = statement;
  if (typeof Resource !== 'string') return statement;
  return { ...statement, Resource: Resource.replace(noZone, `:hostedzone/${zoneId}`) };
}

type Statements = PolicyDocument['Statement'];

const { statementsOf } = createRequire(import.meta.url)('../../deploy/snapshots.cjs') as {
  readonly statementsOf: (parameters: {
    readonly snapshots: string;
    readonly owner: string;
    readonly kmsKey?: string | undefined;
  }) => Readonly<Record<'list' | 'keep' | 'encrypt', Statements[number]>>;
};

/** The policies that the template attaches to these roles where Drover keeps snapshots. */
function snapshotPolicies(
  { roleName, roleArn }: RoleWiring,
  { snapshotBucket: bucket, snapshotKmsKey: kmsKey }: EtcdParameters,
): RoleWiring['policies'] {
  if (bucket === undefined) return [];
  const { list, keep, encrypt } = statementsOf({
    snapshots: `s3://${bucket}/drover`,
    owner: roleArn.split(':')[4] ?? '',
    kmsKey,
  });
  const statements = roleName.endsWith('-etcd-snapshot')
    ? [list, keep, ...(kmsKey === undefined ? [] : [encrypt])]
    : roleName.endsWith('-etcd-membership')
      ? [list]
      : [];
  if (statements.length === 0) return [];
  const Statement = statements.map((one) => ({ ...one, Resource: resolved(one['Resource']) }));
  return [{ policyName: 'snapshots', document: { Version: '2012-10-17', Statement } }];
}

const resolved = (resource: unknown): unknown =>
  typeof resource === 'string'
    ? resource
    : (resource as { readonly 'Fn::Sub': string })['Fn::Sub'].replace('${AWS::Partition}', 'aws');
