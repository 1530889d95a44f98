import { commands, type ServiceName } from '@drover/cloud-sandbox/real/account/commands.ts';
import type { Suite } from './suites.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: '*';
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Services that the run itself needs, beside those of its suites: the guard, the network and the account id. */
const ofEveryRun: readonly ServiceName[] = ['autoscaling', 'ec2', 'eks', 'sts'];

/** Actions that AWS checks though the SDK has no operation of that name in a run. */
const implied: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  // A group with a launch template launches with the rights of its caller.
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
  ec2: ['ec2:CreateTags', 'ec2:RunInstances'],
  elasticloadbalancing: ['elasticloadbalancing:AddTags'],
  sqs: ['sqs:TagQueue'],
};

/** A batch needs the right of the single operation. */
const actionOf = (service: ServiceName, operation: string): string =>
  `${service}:${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;

const actionsOf = (service: ServiceName): readonly string[] => [
  ...Object.keys(commands[service]).map((operation) => actionOf(service, operation)),
  ...(implied[service] ?? []),
];

/** Its requests count as those of us-east-1, whatever the region of the run. */
const isGlobal = (action: string): boolean => action.startsWith('route53:');

/** The least rights for these suites, in one region. */
export function policyFor(suites: readonly Suite[], region: string | undefined): Policy {
  const services = new Set([...ofEveryRun, ...suites.flatMap((suite) => suite.services)]);
  const actions = [...services].flatMap(actionsOf);
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'AccountRun',
        Effect: 'Allow',
        Action: [...new Set(actions)].filter((action) => !isGlobal(action)).toSorted(),
        Resource: '*',
        ...(region !== undefined && { Condition: { StringEquals: { 'aws:RequestedRegion': region } } }),
      },
      {
        Sid: 'AccountRunGlobal',
        Effect: 'Allow',
        Action: actions.filter(isGlobal).toSorted(),
        Resource: '*',
      },
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
