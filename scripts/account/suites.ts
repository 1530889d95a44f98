import type { ServiceName } from '@drover/cloud-sandbox/real/account/commands.ts';
import type { PriceName } from './prices.ts';

/** What a suite makes that AWS charges for. */
export interface Item {
  readonly what: string;
  readonly price: PriceName;
  /** Units of the price: for hours and months, those of each one. */
  readonly count: number;
  readonly unitsEach: number;
}

/** Contracts that run with AWS itself as one more world. */
export interface Suite {
  readonly name: string;
  readonly about: string;
  /** Only if it is named: it is not one of `all`, and comes last. */
  readonly isOnRequest?: boolean;
  /** Files of cases; none for a suite that measures. */
  readonly files: readonly string[];
  readonly services: readonly ServiceName[];
  /** The cases launch instances: they need a VPC and an image. */
  readonly launches?: true;
  /** The cases need a deployed release. */
  readonly deploysRelease?: true;
  /** The run ends the cases after this time, whatever they do. A deployment comes before it. */
  readonly minutes: number;
  readonly makes: readonly string[];
  readonly items: readonly Item[];
}

/** Most instances that can exist at once: a case has two groups of at most ten, and each instance may have a replacement. */
const instancesAtOnce = 40;
/** Clean-up is retried for this long after a suite. */
export const cleanUpMinutes = 30;
/** A stack that CloudFormation has not made by then is given up. One of a hundred resources takes some minutes. */
export const minutesOfStack = 20;
const hoursInAMonth = 730;
const accountFile = (area: string): string =>
  `packages/cloud-sandbox/test/contract/${area}/${area}.account.ts`;

/** One case waits for the global timeout of a hook: 50 minutes. */
const minutesOfHooks = 270;
const minutesOfApi = 60;
/** The callers and the release. */
const minutesOfDeployment = 2 * minutesOfStack;
const hoursOfApi = (minutesOfDeployment + minutesOfApi + cleanUpMinutes) / 60;
const hoursOfHooks = (minutesOfHooks + cleanUpMinutes) / 60;

const minutesOfEtcd = 60;
const hoursOfEtcd = (minutesOfEtcd + cleanUpMinutes) / 60;

/** The longest time from the beginning of a suite to its end: its deployment and its cases. */
export const minutesOf = ({ minutes, deploysRelease }: Suite): number =>
  minutes + (deploysRelease ? minutesOfDeployment : 0);

/** Suites that exist. One that is not here is not accepted. */
export const suites: readonly Suite[] = [
  {
    name: 'hooks',
    about:
      'Auto Scaling groups, lifecycle hooks and their waits, replacement, instance refresh, warm pools, and the events of all this; EventBridge Scheduler; SQS queues, FIFO queues, redrive; Parameter Store; private zones of Route 53',
    files: ['auto-scaling', 'auto-scaling-events', 'scheduler', 'sqs', 'ssm', 'route53'].map(accountFile),
    services: [
      'autoscaling',
      'ec2',
      'elasticloadbalancing',
      'events',
      'iam',
      'route53',
      'scheduler',
      'sqs',
      'ssm',
    ],
    launches: true,
    minutes: minutesOfHooks,
    makes: [
      'a VPC 10.255.0.0/16 with two subnets, without a gateway, a public address or a route to other networks',
      'Auto Scaling groups of t4g.nano, one case after the other, at most two groups of ten at once, with launch templates',
      'target groups without a load balancer',
      'SQS queues and parameters',
      'rules of the default event bus for the events of Auto Scaling and EC2, with a queue as their target',
      'schedules and schedule groups of EventBridge Scheduler, and a role for them that can only send messages',
      'private hosted zones of Route 53, one at a time, for the VPC',
    ],
    items: [
      { what: 't4g.nano', price: 'smallInstance', count: instancesAtOnce, unitsEach: hoursOfHooks },
      {
        what: 'root volume of 8 GB',
        price: 'volume',
        count: instancesAtOnce,
        unitsEach: (8 * hoursOfHooks) / hoursInAMonth,
      },
      { what: 'hosted zone', price: 'hostedZone', count: 1, unitsEach: 1 },
      { what: 'requests to SQS', price: 'queueRequests', count: 1, unitsEach: 0.02 },
      { what: 'invocations of Scheduler', price: 'schedulerInvocations', count: 1, unitsEach: 0.001 },
      {
        what: 'advanced parameter',
        price: 'advancedParameter',
        count: 4,
        unitsEach: hoursOfHooks / hoursInAMonth,
      },
    ],
  },
  {
    name: 'etcd',
    about:
      'what a group of etcd members needs of AWS: hooks of three instances one at a time, a new root volume for an instance, and the SRV records and addresses of instances in a private zone. No etcd runs',
    files: [accountFile('etcd-groups')],
    services: ['autoscaling', 'ec2', 'events', 'route53', 'sqs'],
    launches: true,
    minutes: minutesOfEtcd,
    makes: [
      'Auto Scaling groups of at most three t4g.nano, one case after the other, with launch templates',
      'a private hosted zone of Route 53 for each case of records, for the VPC',
      'SQS queues, and rules of the default event bus whose target they are',
    ],
    items: [
      { what: 't4g.nano', price: 'smallInstance', count: 8, unitsEach: hoursOfEtcd },
      // One more volume while a root volume is replaced.
      {
        what: 'root volume of 8 GB',
        price: 'volume',
        count: 9,
        unitsEach: (8 * hoursOfEtcd) / hoursInAMonth,
      },
      { what: 'hosted zone', price: 'hostedZone', count: 1, unitsEach: 1 },
      { what: 'requests to SQS', price: 'queueRequests', count: 1, unitsEach: 0.01 },
    ],
  },
  {
    name: 'api',
    about:
      'a release, deployed by CloudFormation with the least permissions that are documented; the authorizer of its HTTP API; the decisions of IAM about every right of its roles',
    files: ['test/contract/scale-api/authorizer.account.ts', 'test/contract/roles/roles.account.ts'],
    services: ['cloudformation', 'iam', 'logs', 's3', 'sts'],
    deploysRelease: true,
    minutes: minutesOfApi,
    makes: [
      'a private bucket with the release',
      'a stack of Drover outside a VPC, with all parts but the chat, for a cluster that does not exist: its functions run each minute, and find no kubeconfig',
      'a stack with three roles that call the scale API',
      'the queues that the template retains, which the clean-up deletes',
    ],
    items: [
      // Five functions run each minute, for 30 seconds at most, with 1 GB.
      { what: 'functions', price: 'functionTime', count: 5, unitsEach: (hoursOfApi * 1800) / 1_000_000 },
      { what: 'requests of the pollers of seven queues', price: 'queueRequests', count: 7, unitsEach: 0.02 },
      { what: 'alarms', price: 'alarm', count: 45, unitsEach: hoursOfApi / hoursInAMonth },
      { what: 'dashboard', price: 'dashboard', count: 1, unitsEach: hoursOfApi / hoursInAMonth },
      { what: 'logs', price: 'logs', count: 1, unitsEach: 0.1 },
      { what: 'requests to S3 and to the HTTP APIs', price: 'storageRequests', count: 1, unitsEach: 0.001 },
    ],
  },
  {
    name: 'rates',
    isOnRequest: true,
    about:
      'how many calls Auto Scaling accepts at once and a second, for DescribeAutoScalingGroups, CompleteLifecycleAction, RecordLifecycleActionHeartbeat and TerminateInstanceInAutoScalingGroup. Whatever else uses Auto Scaling in the account and region is refused meanwhile',
    files: [],
    services: ['autoscaling'],
    minutes: 40,
    makes: ['nothing: it names a group and an instance that do not exist, at most 5,000 times'],
    items: [],
  },
];
