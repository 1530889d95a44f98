import type { BootstrapRole } from '../credentials/token-cluster.ts';
import { longestAnnotationSeconds } from '../groups/group-settings.ts';
import { longestGlobalTimeoutSeconds } from '../groups/hook-timing.ts';
import { type Principals, readPrincipals } from '../scale-api/caller-roles.ts';

import { etcdVariables } from './config-etcd.ts';
import {
  boolean,
  bootstrapGroups,
  hookName,
  instanceProfiles,
  matching,
  oneOf,
  onOrOff,
  parameterName,
  queueUrl,
  queueUrls,
  seconds,
  tokenRoles,
  type Variable,
  wholeNumber,
} from './config-values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that Drover reads. Each function reads those that it needs. */
const variables = {
  region: {
    name: 'AWS_REGION',
    allowed: 'an AWS region, such as eu-west-1',
    read: matching(/^[a-z]{2}(?:-[a-z]+)+-\d$/),
  },
  clusterName: {
    name: 'DROVER_CLUSTER',
    allowed: 'the cluster name of the tag kubernetes.io/cluster/<name>: letters, digits, dots, dashes',
    read: matching(/^[A-Za-z0-9][\w.-]{0,99}$/),
  },
  kubeconfigParameter: { name: 'DROVER_KUBECONFIG_PARAMETER', ...parameterName },
  /** Only for the commands: a function has one kubeconfig. */
  readerKubeconfigParameter: { name: 'DROVER_READER_KUBECONFIG_PARAMETER', ...parameterName },
  credentialsKubeconfigParameter: { name: 'DROVER_CREDENTIALS_KUBECONFIG_PARAMETER', ...parameterName },
  certificatesKubeconfigParameter: { name: 'DROVER_CERTIFICATES_KUBECONFIG_PARAMETER', ...parameterName },
  /** The bearer secrets by which the token webhook knows its API servers. */
  tokenWebhookSecretParameter: { name: 'DROVER_TOKEN_WEBHOOK_SECRET_PARAMETER', ...parameterName },
  identityMappingParameter: { name: 'DROVER_IDENTITY_MAPPING_PARAMETER', ...parameterName },
  plannerKubeconfigParameter: { name: 'DROVER_PLANNER_KUBECONFIG_PARAMETER', ...parameterName },
  rollerKubeconfigParameter: { name: 'DROVER_ROLLER_KUBECONFIG_PARAMETER', ...parameterName },
  /** Only for the commands: without it, a deployment has no function roll. */
  rollsAreOn: { name: 'DROVER_ROLLS', allowed: 'on or off', read: onOrOff, fallback: false },
  /** Whether holds may ask for pods. */
  podHoldsAreOn: { name: 'DROVER_POD_HOLDS', allowed: 'on or off', read: onOrOff, fallback: false },
  /** Whether the ConfigMap kube-system/aws-auth is a source of the mapping too, and what its entries may give. */
  identityConfigMap: {
    name: 'DROVER_IDENTITY_CONFIG_MAP',
    allowed: 'off, limited, or trusted: with system:masters',
    read: oneOf('off', 'limited', 'trusted'),
    fallback: 'off',
  },
  /** Empty: each caller that IAM lets in may read, and do nothing else. */
  scaleApiPrincipals: {
    name: 'DROVER_SCALE_API_PRINCIPALS',
    allowed:
      'viewer=ARN, operator=ARN and admin=ARN with spaces between, each ARN of an IAM role or user, and listed once',
    read: readPrincipals,
    fallback: new Map() as Principals,
  },
  bootstrapIsOn: {
    name: 'DROVER_BOOTSTRAP',
    allowed: 'on or off',
    read: onOrOff,
    fallback: false,
  },
  bootstrapParameter: { name: 'DROVER_BOOTSTRAP_PARAMETER', ...parameterName },
  bootstrapRotationSeconds: {
    name: 'DROVER_BOOTSTRAP_ROTATION',
    allowed: 'a duration from 2h to 30d, such as 12h',
    read: seconds(7200, 2_592_000),
    fallback: 43_200,
  },
  bootstrapOverlapSeconds: {
    name: 'DROVER_BOOTSTRAP_OVERLAP',
    allowed: 'a duration from 10m to 1d, such as 1h: how long the slowest node takes to boot',
    read: seconds(600, 86_400),
    fallback: 3600,
  },
  bootstrapGroups: {
    name: 'DROVER_BOOTSTRAP_GROUPS',
    allowed:
      'groups such as system:bootstrappers:drover:worker, with commas between, and none of another role',
    read: bootstrapGroups,
    fallback: 'system:bootstrappers:drover:worker',
  },
  bootstrapRoles: {
    name: 'DROVER_BOOTSTRAP_ROLES',
    allowed: 'worker, or worker,control-plane',
    read: tokenRoles,
    fallback: ['worker'] as readonly BootstrapRole[],
  },
  /** Empty: the account's default key. */
  bootstrapKeyId: {
    name: 'DROVER_BOOTSTRAP_KMS_KEY',
    allowed: 'the id, ARN or alias of a KMS key',
    read: matching(/^[\w:/-]{1,2048}$/),
    fallback: '',
  },
  /** Empty: the server of the kubeconfig that Drover itself uses. */
  bootstrapServer: {
    name: 'DROVER_BOOTSTRAP_SERVER',
    allowed: 'the https URL at which nodes reach the API server, without a path',
    read: matching(/^https:\/\/[\w.-]+(?::\d{1,5})?$/),
    fallback: '',
  },
  /** Empty: the certificate authority of the kubeconfig that Drover itself uses. */
  bootstrapCertificateAuthorityData: {
    name: 'DROVER_BOOTSTRAP_CERTIFICATE_AUTHORITY',
    allowed: 'a PEM certificate in base64, as certificate-authority-data of a kubeconfig',
    read: matching(/^LS0t[A-Za-z0-9+/]+={0,2}$/),
    fallback: '',
  },
  /** What the names of the deployment's alarms begin with. Empty: they are not read. */
  alarmPrefix: {
    name: 'DROVER_ALARM_PREFIX',
    allowed: 'the name of the deployment and a dash, such as drover-prod-',
    read: matching(/^drover-[\w-]{1,100}-$/),
    fallback: '',
  },
  /** Empty: they are not read. */
  deadLetterQueueUrls: {
    name: 'DROVER_DEAD_LETTER_QUEUE_URLS',
    allowed: 'the URLs of SQS queues with spaces between',
    read: queueUrls,
    fallback: [] as readonly string[],
  },
  /** Whether Drover decides certificate requests. */
  certificates: {
    name: 'DROVER_CERTIFICATES',
    allowed: 'on or off',
    read: oneOf('on', 'off'),
    fallback: 'on',
  },
  accountId: {
    name: 'DROVER_ACCOUNT_ID',
    allowed: 'the id of the AWS account of the instances: twelve digits',
    read: matching(/^\d{12}$/),
  },
  /** Empty: the names of nodes are looked up in every VPC of the region. */
  nodeVpcId: {
    name: 'DROVER_NODE_VPC_ID',
    allowed: 'the id of the VPC of the nodes, such as vpc-0123456789abcdef0',
    read: matching(/^vpc-[0-9a-f]{8,17}$/),
    fallback: '',
  },
  /** Empty: any instance profile. */
  nodeInstanceProfiles: {
    name: 'DROVER_NODE_INSTANCE_PROFILES',
    allowed: 'ROLE=PROFILE pairs with commas between, such as worker=my-workers,control-plane=my-masters',
    read: instanceProfiles,
    fallback: [],
  },
  joinWindowSeconds: {
    name: 'DROVER_JOIN_WINDOW',
    allowed: 'a duration from 5m to 1h, such as 30m',
    // The API server removes approved requests after an hour: later, no second key would be seen.
    read: seconds(300, 3600),
    fallback: 1800,
  },
  servingAddresses: {
    name: 'DROVER_SERVING_ADDRESSES',
    allowed: 'node-status or primary',
    read: oneOf('node-status', 'primary'),
    fallback: 'node-status',
  },
  servingPublicAddresses: {
    name: 'DROVER_SERVING_PUBLIC_ADDRESSES',
    allowed: 'true or false',
    read: boolean,
    fallback: false,
  },
  /** Whether Drover puts events of its own on the default event bus. */
  notifications: {
    name: 'DROVER_NOTIFICATIONS',
    allowed: 'on or off',
    read: oneOf('on', 'off'),
    fallback: 'off',
  },
  /** Whether a digest of the problems is one of them. */
  digest: {
    name: 'DROVER_DIGEST',
    allowed: 'on or off',
    read: oneOf('on', 'off'),
    fallback: 'off',
  },
  /** Whether calls are recorded in X-Ray. */
  tracing: {
    name: 'DROVER_TRACING',
    allowed: 'on or off',
    read: oneOf('on', 'off'),
    fallback: 'off',
  },
  notifyHeldAfterSeconds: {
    name: 'DROVER_NOTIFY_HELD_AFTER',
    allowed: 'a duration from 1m to 2d, such as 10m',
    read: seconds(60, 172_800),
    fallback: 600,
  },
  leavingQueueUrl: { name: 'DROVER_LEAVING_QUEUE_URL', ...queueUrl },
  leavingDeadLetterQueueUrl: { name: 'DROVER_LEAVING_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  inboxQueueUrl: { name: 'DROVER_INBOX_QUEUE_URL', ...queueUrl },
  inboxDeadLetterQueueUrl: { name: 'DROVER_INBOX_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  heartbeatsQueueUrl: { name: 'DROVER_HEARTBEATS_QUEUE_URL', ...queueUrl },
  heartbeatsDeadLetterQueueUrl: { name: 'DROVER_HEARTBEATS_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  joiningQueueUrl: { name: 'DROVER_JOINING_QUEUE_URL', ...queueUrl },
  joiningDeadLetterQueueUrl: { name: 'DROVER_JOINING_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  /** Bounds what one hold can cost. */
  maxSizeLimit: {
    name: 'DROVER_MAX_SIZE_LIMIT',
    allowed: 'the highest MaxSize that Drover sets: a whole number from 1 on',
    read: wholeNumber,
    fallback: 100,
  },
  capacityQueueUrl: { name: 'DROVER_CAPACITY_QUEUE_URL', ...queueUrl },
  capacityDeadLetterQueueUrl: { name: 'DROVER_CAPACITY_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  rollQueueUrl: { name: 'DROVER_ROLL_QUEUE_URL', ...queueUrl },
  /** Of the scale API. Empty: the deployment has no function roll. */
  wokenRollQueueUrl: { name: 'DROVER_ROLL_QUEUE_URL', ...queueUrl, fallback: '' },
  rollDeadLetterQueueUrl: { name: 'DROVER_ROLL_DEAD_LETTER_QUEUE_URL', ...queueUrl },
  leavingHookName: { name: 'DROVER_LEAVING_HOOK', ...hookName, fallback: 'drover-node-leaving' },
  joiningHookName: { name: 'DROVER_JOINING_HOOK', ...hookName, fallback: 'drover-node-joining' },
  joinTimeoutSeconds: {
    name: 'DROVER_JOIN_TIMEOUT',
    allowed: 'a duration from 1m to 2d, such as 12m',
    read: seconds(60, longestGlobalTimeoutSeconds),
    // cluster-autoscaler gives a node 15 minutes from its request (--max-node-provision-time), and then another instance is due.
    fallback: 720,
  },
  ...etcdVariables,
  drainTimeoutSeconds: {
    name: 'DROVER_DRAIN_TIMEOUT',
    allowed: 'a duration from 30s to 2d, such as 900, 15m or 2h',
    read: seconds(30, longestGlobalTimeoutSeconds),
    fallback: 1800,
  },
  onFailure: {
    name: 'DROVER_ON_FAILURE',
    allowed: 'CONTINUE or ABANDON',
    read: oneOf('CONTINUE', 'ABANDON'),
    fallback: 'CONTINUE',
  },
  maxLeavingPerGroup: {
    name: 'DROVER_MAX_LEAVING_PER_GROUP',
    allowed: 'a whole number from 1 to 999999',
    read: wholeNumber,
    fallback: 50,
  },
  maxLeavingPerCluster: {
    name: 'DROVER_MAX_LEAVING_PER_CLUSTER',
    allowed: 'a whole number from 1 to 999999',
    read: wholeNumber,
    fallback: 100,
  },
  maxHurriedPerMinute: {
    name: 'DROVER_MAX_HURRIED_PER_MINUTE',
    allowed: 'a whole number from 1 to 999999',
    read: wholeNumber,
    fallback: 50,
  },
  annotationTimeoutSeconds: {
    name: 'DROVER_ANNOTATION_TIMEOUT',
    allowed: 'a duration from 0s to 7d, such as 0, 90m or 24h',
    read: seconds(0, longestAnnotationSeconds),
    fallback: 86_400,
  },
  drainOnRebalance: {
    name: 'DROVER_DRAIN_ON_REBALANCE',
    allowed: 'true or false',
    read: boolean,
    fallback: false,
  },
} satisfies Readonly<
  Record<string, Variable<string | number | boolean | readonly (object | string)[] | Principals>>
>;

type Variables = typeof variables;
type ValueOf<V> = V extends { read: (text: string) => infer Value } ? NonNullable<Value> : never;

/** The whole configuration; a function sees the part that it has read. */
export type Config = { readonly [Key in keyof Variables]: ValueOf<Variables[Key]> };

/** Everything that is wrong with the environment: each variable by name, with the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the environment is not usable: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/**
 * The variables with a value that no function takes, each with what is allowed. A deployment is checked with it before its functions run.
 * Variables that are not set are left out. Pure.
 */
export const malformedVariables = (
  environment: Environment,
): readonly { readonly name: string; readonly allowed: string }[] =>
  Object.values<Variable<unknown>>(variables).filter(({ name, read }) => {
    const text = environment[name];
    return text !== undefined && text !== '' && read(text) === undefined;
  });

/**
 * Reads the named settings from an environment.
 *
 * @throws ConfigError that lists every missing or malformed variable. It quotes no values, because one may be a secret.
 */
export function readConfig<Key extends keyof Variables>(
  environment: Environment,
  keys: readonly Key[],
): Pick<Config, Key> {
  const problems: string[] = [];
  const read = (key: Key): unknown => {
    const variable: Variable<unknown> = variables[key];
    const text = environment[variable.name];
    const isSet = text !== undefined && text !== '';
    const value = isSet ? variable.read(text) : variable.fallback;
    if (value === undefined)
      problems.push(
        `${variable.name} ${isSet ? 'is malformed' : 'is not set'}: it takes ${variable.allowed}`,
      );
    return value;
  };
  const config = Object.fromEntries(keys.map((key) => [key, read(key)]));
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Pick<Config, Key>;
}
