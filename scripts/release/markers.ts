import { templateName } from './parameters.ts';

/** A value of the template that stands for a parameter, and what CloudFormation puts in its place. */
export interface Marker {
  readonly text: string;
  readonly expression: Expression;
}

export type Expression = Readonly<Record<string, unknown>>;

export const noValue: Expression = { Ref: 'AWS::NoValue' };
export const ref = (name: string): Expression => ({ Ref: name });
export const whether = (condition: string, yes: unknown, no: unknown): Expression => ({
  'Fn::If': [condition, yes, no],
});

/** Characters that osls, names of buckets and ARNs take, and that nothing else in the template has. */
const textOf = (name: string): string => `zz${name.toLowerCase()}zz`;

/** Null: the parameter has its default. */
export type StageParameters = Readonly<Record<string, string | number | null>>;

/** The stage of the packages that a release is made of: its name becomes that of the stack. */
export const stage = 'release';

const stageText = `drover-${stage}`;
const ofCluster = (suffix: string): Expression => ({ 'Fn::Sub': `/drover/\${Cluster}/${suffix}` });
const kubeconfig = whether('HasKubeconfigParameter', ref('KubeconfigParameter'), ofCluster('kubeconfig'));

/** Parameters whose default depends on another parameter. `HasNAME` is a condition. */
const expressions: Readonly<Record<string, Expression>> = {
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

/** The parameters whose emptiness the expressions ask about. */
export const askedForEmptiness: readonly string[] = [
  ...Object.keys(expressions),
  'certificatesKubeconfigParameter',
];

const snapshotUrl = `s3://${textOf('etcdSnapshotBucket')}/${textOf('etcdSnapshotPrefix')}`;

/** Values of a form that a program in deploy/ reads. */
const formed: Readonly<Record<string, string>> = {
  hookTopic: `arn:${textOf('hookTopic')}`,
  etcdSnapshotKmsKey: `arn:aws:kms:eu-west-1:123456789012:key/${textOf('etcdSnapshotKmsKey')}`,
  bootstrapRoles: 'worker,control-plane',
};

/** Parameters that are numbers in the template, each with one that nothing else in it is. */
const numeric = { apiServerPort: 64_999, tokenWebhookConcurrency: 9998, logRetentionInDays: 3653 };

/** What is put in the place of such a number. */
export const numbers: ReadonlyMap<number, Expression> = new Map(
  Object.entries(numeric).map(([name, number]) => [number, ref(templateName(name))]),
);

/** The choices by which osls includes files: switches.ts turns each off. */
const choices: Readonly<Record<string, string>> = {
  network: 'private',
  bootstrap: 'on',
  certificates: 'on',
  scaleApi: 'on',
  tokenWebhook: 'on',
  notifications: 'on',
  dashboard: 'on',
  tracing: 'on',
};

/** The parameters of the stage with everything in it, where a marker stands for every value. */
export const markedStage = (names: readonly string[]): StageParameters => ({
  ...Object.fromEntries(names.map((name) => [name, formed[name] ?? textOf(name)])),
  ...choices,
  etcdSnapshots: snapshotUrl,
  ...numeric,
});

/** Every marker, the longer ones first, because one may contain another. */
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
      .filter((name) => !(name in choices || name in numeric))
      .map((name) => ({
        text: formed[name] ?? textOf(name),
        expression: expressions[name] ?? ref(templateName(name)),
      })),
  ].toSorted((one, other) => other.text.length - one.text.length);
