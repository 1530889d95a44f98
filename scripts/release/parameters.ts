import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A parameter of the released template: one of deploy/stages/default.yml, under its name with a capital letter. */
export interface ReleaseParameter {
  readonly description: string;
  /** Without it, the default of deploy/stages/default.yml, where null is empty. */
  readonly defaultValue?: string | undefined;
  /** No default: the parameter is required. */
  readonly isRequired?: boolean;
  readonly allowedValues?: readonly string[];
  readonly allowedPattern?: string;
}

const onOrOff = ['on', 'off'];
const booleans = ['true', 'false'];
const duration = '[1-9][0-9]{0,6}[smhd]?';
const count = '[1-9][0-9]{0,5}';
const hook = '[A-Za-z0-9_/-]{1,255}';
const orEmpty = (pattern: string): string => `(${pattern})?`;
const ofSsm = orEmpty('/[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*');
const cidr = '[0-9]{1,3}(\\.[0-9]{1,3}){3}/[0-9]{1,2}';
/** As readPrincipals reads it. */
const principal =
  '(viewer|operator|admin)=arn:aws[a-z-]*:iam::[0-9]{12}:(role|user)/[A-Za-z0-9_+=,.@/-]{1,575}';
const beginsWithSlash = 'The name of an SSM parameter, with a slash at its beginning';

/** What CloudFormation can check of a value. The functions check the rest: docs/deployment.md says what each parameter does. */
const parameters: Readonly<Record<string, ReleaseParameter>> = {
  cluster: {
    description:
      'The cluster of the tag kubernetes.io/cluster/NAME. Never change it: it is the subject of the whole stack',
    isRequired: true,
    // It is part of IAM policies: no wildcard, and none of the quotes of JSON. The schedule group drover-CLUSTER has 64 characters at most.
    allowedPattern: '[A-Za-z0-9][A-Za-z0-9_.-]{0,56}',
  },
  eksCluster: {
    description: 'The EKS cluster whose managed node groups Drover scales. Empty: the name of the cluster',
    allowedPattern: orEmpty('[A-Za-z0-9][A-Za-z0-9_-]{0,99}'),
  },
  network: {
    description: 'private: functions that call the cluster run in VpcId, SubnetA and SubnetB',
    allowedValues: ['outside', 'private'],
  },
  vpcId: { description: 'With private: the VPC of the functions', allowedPattern: orEmpty('vpc-[0-9a-f]+') },
  subnetA: { description: 'With private: a private subnet', allowedPattern: orEmpty('subnet-[0-9a-f]+') },
  subnetB: { description: 'With private: another one', allowedPattern: orEmpty('subnet-[0-9a-f]+') },
  apiServerPort: {
    description: 'With private: the port of the API server',
    allowedPattern: '[1-9][0-9]{0,4}',
  },
  apiServerCidr: { description: 'With private: the addresses of the API server', allowedPattern: cidr },
  etcdCidr: { description: 'With private: the addresses of etcd', allowedPattern: cidr },
  bootstrap: {
    description: 'off: no bootstrap credential, as on EKS and OpenShift 3.11',
    allowedValues: onOrOff,
  },
  certificates: { description: 'off: no decisions about certificate requests', allowedValues: onOrOff },
  scaleApi: { description: 'off: no scale API', allowedValues: onOrOff },
  scaleApiPrincipals: {
    description: 'The callers of the scale API: viewer=ARN, operator=ARN, admin=ARN with spaces between',
    allowedPattern: orEmpty(`${principal}( +${principal})*`),
  },
  tokenWebhook: {
    description: 'on: API servers ask Drover whose the token of an IAM identity is',
    allowedValues: onOrOff,
  },
  tokenWebhookSecretParameter: {
    description: `${beginsWithSlash}, of the secrets of its callers. Empty: /drover/CLUSTER/token-webhook`,
    allowedPattern: ofSsm,
  },
  identityMappingParameter: {
    description: `${beginsWithSlash}, of who is who. Empty: /drover/CLUSTER/identity-mapping`,
    allowedPattern: ofSsm,
  },
  identityConfigMap: {
    description: 'Whether the ConfigMap aws-auth is a source of the mapping too, and may give system:masters',
    allowedValues: ['off', 'limited', 'trusted'],
  },
  tokenWebhookConcurrency: {
    description: 'The reserved concurrency of token-webhook, or unreserved',
    allowedPattern: 'unreserved|[1-9][0-9]{0,3}',
  },
  passConcurrency: {
    description:
      'The reserved concurrency of node-leaving, and of node-joining; the other functions of nodes then reserve 20. Or unreserved',
    // The bounds of MaximumConcurrency.
    allowedPattern: 'unreserved|[2-9]|[1-9][0-9]{1,2}|1000',
  },
  maxSizeLimit: { description: 'The highest MaxSize that Drover sets for a hold', allowedPattern: count },
  podHolds: {
    description: 'on: holds may ask for pods, and prewarm reads pods, volumes and Nodes of the cluster',
    allowedValues: onOrOff,
  },
  rolls: {
    description: 'on: roll replaces the old instances of groups, with drover roll',
    allowedValues: onOrOff,
  },
  kubeconfigParameter: {
    description: `${beginsWithSlash}, of the kubeconfig. Empty: /drover/CLUSTER/kubeconfig`,
    allowedPattern: ofSsm,
  },
  readerKubeconfigParameter: {
    description: 'That of an identity that reads Nodes. Empty: KubeconfigParameter',
    allowedPattern: ofSsm,
  },
  credentialsKubeconfigParameter: {
    description: 'That of an identity that makes bootstrap tokens. Empty: KubeconfigParameter',
    allowedPattern: ofSsm,
  },
  certificatesKubeconfigParameter: {
    description: 'That of an identity that approves certificate requests. Empty: KubeconfigParameter',
    allowedPattern: ofSsm,
  },
  plannerKubeconfigParameter: {
    description: 'With PodHolds: that of an identity that lists pods. Empty: KubeconfigParameter',
    allowedPattern: ofSsm,
  },
  rollerKubeconfigParameter: {
    description: 'With Rolls: that of an identity that cordons and taints Nodes. Empty: KubeconfigParameter',
    allowedPattern: ofSsm,
  },
  groupNamePattern: {
    description: 'Narrows the event rules to groups with such names, in the wildcards of EventBridge',
    allowedPattern: '[^"\\\\]{1,255}',
  },
  leavingHook: { description: 'The name of the hook of leaving instances', allowedPattern: hook },
  joiningHook: { description: 'The name of the hook of launching instances', allowedPattern: hook },
  etcdHook: { description: 'The name of the hook of leaving members of etcd', allowedPattern: hook },
  etcdLaunchHook: { description: 'The name of the hook of launching members of etcd', allowedPattern: hook },
  hookTopic: {
    description: 'The ARN of your SNS topic that hooks notify. Empty: none',
    allowedPattern: orEmpty('arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_.-]+'),
  },
  operatorRole: {
    description: 'The ARN of the role that may redrive messages, with wildcards. Empty or none: no role',
    allowedPattern: orEmpty('none|arn:[a-z-]+:iam::[0-9]{12}:role/[A-Za-z0-9_+=,.@/*?-]+'),
  },
  permissionsBoundary: {
    description: 'The ARN of a managed policy that bounds every role of the stack. Empty: none',
    allowedPattern: orEmpty('arn:[a-z-]+:iam::([0-9]{12}|aws):policy/[A-Za-z0-9_+=,.@/-]{1,640}'),
  },
  rolePath: {
    description: 'The path of every role of the stack, with a slash at both ends. Never change it',
    // The ARN of a role is the value of a tag, which has at most 256 characters.
    allowedPattern: '/([A-Za-z0-9_+=.@/-]{1,158}/)?',
  },
  etcdDomain: {
    description: 'The discovery domain of etcd. Empty: no etcd',
    allowedPattern: orEmpty('[a-z0-9.-]+'),
  },
  etcdZoneId: { description: 'The id of its hosted zone', allowedPattern: orEmpty('Z[A-Z0-9]{1,31}') },
  etcdMode: {
    description: 'dns-only if functions cannot reach etcd',
    allowedValues: ['members', 'dns-only'],
  },
  etcdServices: { description: 'TLS among members: ssl or both', allowedValues: ['ssl', 'plain', 'both'] },
  etcdServiceName: { description: 'A suffix of the service names', allowedPattern: orEmpty('[A-Za-z0-9-]+') },
  etcdTtl: { description: 'The TTL of the records', allowedPattern: duration },
  etcdClientParameter: {
    description: `${beginsWithSlash}, of the client certificate. Empty: /drover/CLUSTER/etcd-client`,
    allowedPattern: ofSsm,
  },
  etcdSnapshotBucket: {
    description:
      'The bucket of snapshots, or elsewhere if something else keeps backups. Required with EtcdDomain',
    defaultValue: '',
    allowedPattern: orEmpty('[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]'),
  },
  etcdSnapshotPrefix: {
    description: 'The prefix of snapshots in the bucket, without slashes at its ends',
    defaultValue: 'drover',
    allowedPattern: '[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*',
  },
  etcdSnapshotBucketOwner: {
    description: 'The account of the bucket. Empty: the own one',
    allowedPattern: orEmpty('[0-9]{12}'),
  },
  etcdSnapshotKmsKey: {
    description: 'The ARN of the KMS key of the snapshots. Empty: the encryption of the bucket',
    allowedPattern: orEmpty('arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+'),
  },
  etcdSnapshotMaxAge: { description: 'How old the last snapshot may be', allowedPattern: duration },
  drainTimeout: { description: 'The default of the tag drover.dev/drain-timeout', allowedPattern: duration },
  onFailure: {
    description: 'The default of the tag drover.dev/on-failure',
    allowedValues: ['CONTINUE', 'ABANDON'],
  },
  maxLeavingPerGroup: { description: 'How many nodes of a group may leave at once', allowedPattern: count },
  maxLeavingPerCluster: {
    description: 'How many nodes of the cluster may leave at once',
    allowedPattern: count,
  },
  maxHurriedPerMinute: {
    description: 'How many instances may start to leave within a minute because EC2 takes them back',
    allowedPattern: count,
  },
  drainOnRebalance: {
    description: 'The default of the tag drover.dev/drain-on-rebalance',
    allowedValues: booleans,
  },
  annotationTimeout: {
    description: 'The default of the tag drover.dev/annotation-timeout',
    allowedPattern: duration,
  },
  joinTimeout: { description: 'The default of the tag drover.dev/join-timeout', allowedPattern: duration },
  bootstrapParameter: {
    description: `${beginsWithSlash}, of the bootstrap credential. Empty: /drover/CLUSTER/bootstrap-kubeconfig`,
    allowedPattern: ofSsm,
  },
  bootstrapRotation: { description: 'How often the credential is replaced', allowedPattern: duration },
  bootstrapOverlap: { description: 'How long the slowest node takes to boot', allowedPattern: duration },
  bootstrapRoles: {
    description: 'The roles that get a bootstrap credential',
    allowedValues: ['worker', 'worker,control-plane'],
  },
  bootstrapGroups: { description: 'The groups of the tokens of workers', allowedPattern: '[a-z0-9:,-]+' },
  bootstrapKmsKey: {
    description: 'The key of the credential. Empty: that of the account',
    allowedPattern: orEmpty('[A-Za-z0-9_:/-]{1,2048}'),
  },
  bootstrapServer: {
    description: 'The URL at which nodes reach the API server. Empty: that of the kubeconfig',
    allowedPattern: orEmpty('https://[A-Za-z0-9_.-]+(:[0-9]{1,5})?'),
  },
  bootstrapCertificateAuthority: {
    description: 'The authority of that server, in base64. Empty: that of the kubeconfig',
    allowedPattern: orEmpty('LS0t[A-Za-z0-9+/]+={0,2}'),
  },
  nodeVpcId: { description: 'The VPC of the nodes. Empty: any', allowedPattern: orEmpty('vpc-[0-9a-f]+') },
  nodeInstanceProfiles: {
    description: 'ROLE=PROFILE pairs with commas between. Empty: any profile',
    allowedPattern: '[A-Za-z0-9_+=,.@:/-]*',
  },
  joinWindow: {
    description: 'How long after its launch an instance may join with a token',
    allowedPattern: duration,
  },
  servingAddresses: {
    description: 'The addresses in serving certificates',
    allowedValues: ['node-status', 'primary'],
  },
  servingPublicAddresses: { description: 'Whether they may name public addresses', allowedValues: booleans },
  alarmEmail: {
    description:
      'An e-mail address that gets the alarms, once it has confirmed the subscription. Empty: none',
    allowedPattern: orEmpty('[^ @"\\\\]+@[^ @"\\\\]+'),
  },
  extraAlarmTopic: {
    description: 'The ARN of your SNS topic in this region that gets the alarms. Empty: none',
    allowedPattern: orEmpty('arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]+'),
  },
  notifications: {
    description: 'off: Drover puts no events of its own on the default event bus',
    allowedValues: onOrOff,
  },
  digest: {
    description: 'off: none of these events is a digest of the problems',
    allowedValues: onOrOff,
  },
  notifyHeldAfter: {
    description: 'How long pods may hold a drain before a notification is sent',
    allowedPattern: duration,
  },
  notificationEmail: {
    description: 'An e-mail address that gets the notifications. Empty: none',
    allowedPattern: orEmpty('[^ @"\\\\]+@[^ @"\\\\]+'),
  },
  notificationTopic: {
    description: 'The ARN of your SNS topic that gets them. Empty: none',
    allowedPattern: orEmpty('arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]+'),
  },
  chatWebhookSecret: {
    description:
      'The name or ARN of a secret in Secrets Manager that is the URL of a chat webhook. Empty: none',
    allowedPattern: orEmpty('(arn:[a-z-]+:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:)?[A-Za-z0-9/_+=.@-]+'),
  },
  notifyFrom: {
    description: 'warning: these get no event about a node that leaves as it should',
    allowedValues: ['info', 'warning'],
  },
  dashboard: { description: 'off: no dashboard of CloudWatch', allowedValues: onOrOff },
  tracing: {
    description:
      'on: X-Ray records a sample of the invocations, with the calls in them. rights: the roles may send traces, which on an existing stack is the step before on',
    allowedValues: ['on', 'rights', 'off'],
  },
  logRetentionInDays: {
    description: 'How long CloudWatch keeps the logs',
    allowedValues: '1 3 5 7 14 30 60 90 120 150 180 365 400 545 731 1096 1827 2192 2557 2922 3288 3653'.split(
      ' ',
    ),
  },
};

/** Parameters of a stage that the release has in another form, because CloudFormation cannot take a URL apart. */
export const replacedParameters = ['etcdSnapshots'];

export const templateName = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** Each with its default. @throws Error for a default of deploy/stages/default.yml without a parameter here. */
export function releaseParameters(): Readonly<Record<string, ReleaseParameter>> {
  const defaults = parse(readFileSync('deploy/stages/default.yml', 'utf8')) as Readonly<
    Record<string, unknown>
  >;
  const missing = Object.keys(defaults).filter(
    (name) => !(name in parameters || replacedParameters.includes(name)),
  );
  if (missing.length > 0)
    throw new Error(
      `scripts/release/parameters.ts does not have ${missing.join(', ')} of deploy/stages/default.yml`,
    );
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      {
        ...parameter,
        defaultValue: parameter.isRequired
          ? undefined
          : (parameter.defaultValue ?? String((defaults[name] as string | number | null) ?? '')),
      },
    ]),
  );
}
