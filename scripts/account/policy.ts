import { commands, roleBoundary, type ServiceName } from '@drover/cloud-sandbox/real/account/commands.ts';
import { prefixOf } from '@drover/cloud-sandbox/real/account/mark.ts';
import { deploymentStatements } from './deployment-policy.ts';
import { type Caller, callerRoleName, callers } from './release-stack.ts';
import type { Suite } from './suites.ts';

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Services that the run itself needs, beside those of its suites: the guard, the network and the account id. */
const ofEveryRun: readonly ServiceName[] = ['autoscaling', 'ec2', 'eks', 'sts'];

/** The clean-up looks for all kinds, whatever the suites are. */
const ofTheSweep = [
  'cloudformation:DescribeStacks',
  'elasticloadbalancing:DescribeTargetGroups',
  'events:ListRules',
  'iam:ListRoles',
  'logs:DescribeLogGroups',
  'route53:GetHostedZone',
  'route53:ListHostedZones',
  's3:ListAllMyBuckets',
  'scheduler:ListScheduleGroups',
  'scheduler:ListSchedules',
  'sqs:ListQueues',
  'ssm:DescribeParameters',
];

/** Actions that AWS checks though the SDK has no operation of that name in a run. */
const implied: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  // A group with a launch template launches with the rights of its caller.
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
  ec2: ['ec2:CreateTags', 'ec2:RunInstances'],
  elasticloadbalancing: ['elasticloadbalancing:AddTags'],
  events: ['events:TagResource'],
  sqs: ['sqs:TagQueue'],
};

/** Operations of S3 with actions of another name. */
const actionsOfS3: Readonly<Record<string, string>> = {
  DeleteObjects: 'DeleteObject',
  ListBuckets: 'ListAllMyBuckets',
  ListObjectsV2: 'ListBucket',
};

/** A batch needs the right of the single operation. */
function actionOf(service: ServiceName, operation: string): string {
  if (service === 's3') return `s3:${actionsOfS3[operation] ?? operation}`;
  return `${service}:${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;
}

const actionsOf = (service: ServiceName): readonly string[] => [
  ...Object.keys(commands[service]).map((operation) => actionOf(service, operation)),
  ...(implied[service] ?? []),
];

/** Their requests count as those of us-east-1, whatever the region of the run. */
const isGlobal = (action: string): boolean =>
  /^(?:iam|route53):/.test(action) || action === 's3:ListAllMyBuckets';

const isOfRoles = (action: string): boolean =>
  (action.startsWith('iam:') && action !== 'iam:ListRoles') || action === 'sts:AssumeRole';

/** Actions that are allowed on resources with names of runs only. */
const named = (
  prefix: string,
): readonly (Pick<Statement, 'Sid' | 'Resource'> & { readonly of: RegExp })[] => [
  {
    Sid: 'StacksOfRuns',
    of: /^cloudformation:(?!DescribeStacks)/,
    Resource: `arn:aws:cloudformation:*:*:stack/${prefix}*`,
  },
  {
    Sid: 'BucketsOfRuns',
    of: /^s3:(?!ListAllMyBuckets)/,
    Resource: [`arn:aws:s3:::${prefix}*`],
  },
  {
    Sid: 'LogGroupsOfRuns',
    of: /^logs:(?!DescribeLogGroups)/,
    Resource: ['lambda', 'vendedlogs/http-api'].map(
      (folder) => `arn:aws:logs:*:*:log-group:/aws/${folder}/${prefix}*`,
    ),
  },
];

function namedStatements(actions: readonly string[]): readonly Statement[] {
  return named(prefixOf({})).flatMap(({ Sid, of, Resource }) => {
    const Action = actions.filter((action) => of.test(action));
    return Action.length === 0 ? [] : [{ Sid, Effect: 'Allow' as const, Action, Resource }];
  });
}

const isNamed = (action: string): boolean => named('').some(({ of }) => of.test(action));

/** The least rights for these suites, in one region. */
export function policyFor(suites: readonly Suite[], region: string | undefined): Policy {
  const services = new Set([...ofEveryRun, ...suites.flatMap((suite) => suite.services)]);
  const actions = [...new Set([...ofTheSweep, ...[...services].flatMap(actionsOf)])].toSorted();
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'AccountRun',
        Effect: 'Allow',
        Action: actions.filter((action) => !(isGlobal(action) || isNamed(action) || isOfRoles(action))),
        Resource: '*',
        ...(region !== undefined && { Condition: { StringEquals: { 'aws:RequestedRegion': region } } }),
      },
      {
        Sid: 'AccountRunGlobal',
        Effect: 'Allow',
        Action: actions.filter((action) => isGlobal(action) && !isOfRoles(action)),
        Resource: '*',
      },
      ...namedStatements(actions),
      ...(services.has('iam') ? roleStatements(actions.filter(isOfRoles), services.has('scheduler')) : []),
      ...(services.has('cloudformation') ? [callersStatement, ...deploymentStatements(region)] : []),
      {
        // The first Auto Scaling group or target group of an account.
        Sid: 'FirstUseOfAutoScaling',
        Effect: 'Allow',
        Action: ['iam:CreateServiceLinkedRole'],
        Resource: '*',
        Condition: {
          StringLike: {
            'iam:AWSServiceName': 'autoscaling.amazonaws.com',
          },
        },
      },
    ],
  };
}

/** The id of any run. A stage that is called `account` has names that begin like those of runs. */
const anyRun = '????????';

/** What the cases assume, and no other role of a run. */
const callersStatement: Statement = {
  Sid: 'CallersOfRuns',
  Effect: 'Allow',
  Action: ['sts:AssumeRole'],
  Resource: Object.keys(callers).map(
    (caller) => `arn:aws:iam::*:role/${callerRoleName(anyRun, caller as Caller)}`,
  ),
};

/** Roles of runs only, for Scheduler only. Their boundary keeps the policy from being a way to more rights. */
function roleStatements(actions: readonly string[], makesRoles: boolean): readonly Statement[] {
  const Resource = `arn:aws:iam::*:role/${prefixOf({ run: anyRun })}*`;
  const isBounded = (action: string): boolean => /^iam:(?:CreateRole|PutRolePolicy)$/.test(action);
  const removal: Statement = {
    Sid: 'RolesOfRuns',
    Effect: 'Allow',
    Action: [...actions.filter((action) => action.startsWith('iam:') && !isBounded(action)), 'iam:TagRole'],
    Resource,
  };
  // The roles of a deployment are made with the rights of a deployment.
  if (!makesRoles) return [removal];
  return [
    removal,
    {
      Sid: 'BoundedRolesOfRuns',
      Effect: 'Allow',
      Action: actions.filter(isBounded),
      Resource,
      Condition: { StringEquals: { 'iam:PermissionsBoundary': roleBoundary } },
    },
    {
      Sid: 'RolesOfRunsForScheduler',
      Effect: 'Allow',
      Action: ['iam:PassRole'],
      Resource,
      Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  ];
}
