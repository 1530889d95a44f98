import { commands, roleBoundary, type ServiceName } from '@drover/cloud-sandbox/real/account/commands.ts';
import { prefixOf } from '@drover/cloud-sandbox/real/account/mark.ts';
import type { Suite } from './suites.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Services that the run itself needs, beside those of its suites: the guard, the network and the account id. */
const ofEveryRun: readonly ServiceName[] = ['autoscaling', 'ec2', 'eks', 'sts'];

/** The clean-up looks for all kinds, whatever the suites are. */
const ofTheSweep = [
  'elasticloadbalancing:DescribeTargetGroups',
  'events:ListRules',
  'iam:ListRoles',
  'route53:ListHostedZones',
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

/** A batch needs the right of the single operation. */
const actionOf = (service: ServiceName, operation: string): string =>
  `${service}:${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;

const actionsOf = (service: ServiceName): readonly string[] => [
  ...Object.keys(commands[service]).map((operation) => actionOf(service, operation)),
  ...(implied[service] ?? []),
];

/** Their requests count as those of us-east-1, whatever the region of the run. */
const isGlobal = (action: string): boolean => /^(?:iam|route53):/.test(action);

const isOfRoles = (action: string): boolean => action.startsWith('iam:') && action !== 'iam:ListRoles';

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
        Action: actions.filter((action) => !isGlobal(action)),
        Resource: '*',
        ...(region !== undefined && { Condition: { StringEquals: { 'aws:RequestedRegion': region } } }),
      },
      {
        Sid: 'AccountRunGlobal',
        Effect: 'Allow',
        Action: actions.filter((action) => isGlobal(action) && !isOfRoles(action)),
        Resource: '*',
      },
      ...(services.has('iam') ? roleStatements(actions.filter(isOfRoles)) : []),
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

/** Roles of runs only, for Scheduler only. Their boundary keeps the policy from being a way to more rights. */
function roleStatements(actions: readonly string[]): readonly Statement[] {
  const creation = 'iam:CreateRole';
  const Resource = `arn:aws:iam::*:role/${prefixOf({})}*`;
  return [
    {
      Sid: 'RolesOfRuns',
      Effect: 'Allow',
      Action: [...actions.filter((action) => action !== creation), 'iam:TagRole'],
      Resource,
    },
    {
      Sid: 'BoundedRolesOfRuns',
      Effect: 'Allow',
      Action: [creation],
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
