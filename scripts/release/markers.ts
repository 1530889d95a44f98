import { templateName } from './parameters.ts';

/** A value of the template that stands for a parameter, and what CloudFormation puts in its place. */
export interface Marker {
  readonly text: string;
  readonly expression: Expression;
}

export type Expression = Readonly<Record<string, unknown>>;

const ref = (name: string): Expression => ({ Ref: name });
const whether = (condition: string, yes: unknown, no: unknown): Expression => ({
  'Fn::If': [condition, yes, no],
});

/** Characters that osls, names of buckets and ARNs take, and that nothing else in the template has. */
const textOf = (name: string): string => `zz${name.toLowerCase()}zz`;

export type StageParameters = Readonly<Record<string, string | number>>;

/** The stage of the packages that a release is made of: its name becomes that of the stack. */
export const stage = 'release';

const stageText = `drover-${stage}`;
const ofCluster = (suffix: string): Expression => ({ 'Fn::Sub': `/drover/\${Cluster}/${suffix}` });
const kubeconfig = whether('HasKubeconfigParameter', ref('KubeconfigParameter'), ofCluster('kubeconfig'));

/** Parameters whose default depends on another parameter. `HasNAME` is a condition. */
const defaulted: Readonly<Record<string, Expression>> = {
  eksCluster: whether('HasEksCluster', ref('EksCluster'), ref('Cluster')),
  kubeconfigParameter: kubeconfig,
  readerKubeconfigParameter: whether(
    'HasReaderKubeconfigParameter',
    ref('ReaderKubeconfigParameter'),
    kubeconfig,
  ),
  credentialsKubeconfigParameter: whether(
    'HasCredentialsKubeconfigParameter',
    ref('CredentialsKubeconfigParameter'),
    kubeconfig,
  ),
  certificatesKubeconfigParameter: whether(
    'HasCertificatesKubeconfigParameter',
    ref('CertificatesKubeconfigParameter'),
    kubeconfig,
  ),
  plannerKubeconfigParameter: whether(
    'HasPlannerKubeconfigParameter',
    ref('PlannerKubeconfigParameter'),
    kubeconfig,
  ),
  rollerKubeconfigParameter: whether(
    'HasRollerKubeconfigParameter',
    ref('RollerKubeconfigParameter'),
    kubeconfig,
  ),
  etcdClientParameter: whether(
    'HasEtcdClientParameter',
    ref('EtcdClientParameter'),
    ofCluster('etcd-client'),
  ),
  tokenWebhookSecretParameter: whether(
    'HasTokenWebhookSecretParameter',
    ref('TokenWebhookSecretParameter'),
    ofCluster('token-webhook'),
  ),
  identityMappingParameter: whether(
    'HasIdentityMappingParameter',
    ref('IdentityMappingParameter'),
    ofCluster('identity-mapping'),
  ),
  bootstrapParameter: whether(
    'HasBootstrapParameter',
    ref('BootstrapParameter'),
    ofCluster('bootstrap-kubeconfig'),
  ),
  etcdSnapshotBucketOwner: whether(
    'HasEtcdSnapshotBucketOwner',
    ref('EtcdSnapshotBucketOwner'),
    ref('AWS::AccountId'),
  ),
};

/** The conditions of the parameters whose default depends on another one. */
export const defaultConditions: Readonly<Record<string, Expression>> = Object.fromEntries(
  Object.keys(defaulted)
    .map(templateName)
    .map((name) => [`Has${name}`, { 'Fn::Not': [{ 'Fn::Equals': [ref(name), ''] }] }]),
);

const noValue: Expression = { Ref: 'AWS::NoValue' };

const expressions: Readonly<Record<string, Expression>> = {
  ...defaulted,
  permissionsBoundary: whether('HasPermissionsBoundary', ref('PermissionsBoundary'), noValue),
  rolePath: whether('HasRolePath', ref('RolePath'), noValue),
};

const snapshotUrl = `s3://${textOf('etcdSnapshotBucket')}/${textOf('etcdSnapshotPrefix')}`;

/** Values of a form that a program in deploy/ reads. */
const formed: Readonly<Record<string, string>> = {
  hookTopic: `arn:${textOf('hookTopic')}`,
  etcdSnapshotKmsKey: `arn:aws:kms:eu-west-1:123456789012:key/${textOf('etcdSnapshotKmsKey')}`,
};

/** Parameters that are numbers in the template, each with one that nothing else in it is. */
const numeric = {
  apiServerPort: 64_999,
  tokenWebhookConcurrency: 9998,
  passConcurrency: 997,
  logRetentionInDays: 3653,
};

/** What is put in the place of such a number. */
export const numbers: ReadonlyMap<number, Expression> = new Map(
  Object.entries(numeric).map(([name, number]) => [number, ref(templateName(name))]),
);

/** The parameters of a stage with everything in it, where a marker stands for every value. */
export const markedStage = (names: readonly string[]): StageParameters => ({
  ...Object.fromEntries(names.map((name) => [name, formed[name] ?? textOf(name)])),
  etcdSnapshots: snapshotUrl,
  ...numeric,
});

/** Every marker of resources and outputs, the longer ones first, because one may contain another. */
export const markersOf = (names: readonly string[]): readonly Marker[] =>
  [
    { text: stageText, expression: ref('AWS::StackName') },
    {
      text: snapshotUrl,
      expression: whether(
        'HasEtcdSnapshotBucket',
        { 'Fn::Sub': 's3://${EtcdSnapshotBucket}/${EtcdSnapshotPrefix}' },
        ref('EtcdSnapshotBucket'),
      ),
    },
    ...names
      .filter((name) => !(name in numeric))
      .map((name) => ({
        text: formed[name] ?? textOf(name),
        expression: expressions[name] ?? ref(templateName(name)),
      })),
  ].toSorted((one, other) => other.text.length - one.text.length);

/** The markers in conditions, which compare parameters as they are given. */
export const conditionMarkersOf = (names: readonly string[]): readonly Marker[] => [
  { text: snapshotUrl, expression: ref('EtcdSnapshotBucket') },
  ...names.map((name) => ({ text: formed[name] ?? textOf(name), expression: ref(templateName(name)) })),
];
