import { tagContext } from '../context.ts';
import {
  passRole,
  type Requirement,
  type RuleQuestion,
  records,
  requestTagContext,
  type ServiceRule,
  text,
  texts,
} from './rule.ts';

function requirement(question: RuleQuestion, action: string, resource: string): Requirement {
  const tags = tagContext(['aws:ResourceTag'], resource === '*' ? undefined : question.lookup.tags(resource));
  return { action, resource, context: { ...tags, ...requestTagContext(records(question.input, 'Tags')) } };
}

/** Elastic Load Balancing: Describe* takes only `*`; actions on targets are authorized on their target group. */
export const elasticLoadBalancingRule: ServiceRule = (question) => {
  const action = `elasticloadbalancing:${question.operation}`;
  const arn = text(question.input, 'TargetGroupArn') ?? text(question.input, 'LoadBalancerArn');
  const resource = question.operation.startsWith('Describe') ? '*' : (arn ?? '*');
  return [requirement(question, action, resource)];
};

/** Amazon EventBridge: rules by name; PutEvents on the bus, with the sources and detail-types of all its entries. */
export const eventsRule: ServiceRule = (question) => {
  const { operation, input, accountId, region } = question;
  const prefix = `arn:aws:events:${region}:${accountId}`;
  if (operation === 'PutEvents')
    return [
      {
        action: 'events:PutEvents',
        resource: `${prefix}:event-bus/default`,
        context: {
          'events:source': ofEntries(input, 'Source'),
          'events:detail-type': ofEntries(input, 'DetailType'),
        },
      },
    ];
  const name = text(input, 'Rule') ?? (operation.endsWith('Rule') ? text(input, 'Name') : undefined);
  const resource = `${prefix}:rule/${name ?? '*'}`;
  const roles = [input, ...records(input, 'Targets')].flatMap((holder) => text(holder, 'RoleArn') ?? []);
  return [
    requirement(question, `events:${operation}`, resource),
    ...roles.flatMap((role) => passRole(role, 'events.amazonaws.com')),
  ];
};

/** The values of keys of several values, which need a set operator. */
const ofEntries = (input: Readonly<Record<string, unknown>>, name: string): readonly string[] =>
  records(input, 'Entries').flatMap((entry) => text(entry, name) ?? []);

/** Amazon EventBridge Scheduler: schedules by group and name, schedule groups by name or ARN. The lists take only `*`. */
export const schedulerRule: ServiceRule = (question) => {
  const { operation, input, accountId, region } = question;
  const prefix = `arn:aws:scheduler:${region}:${accountId}`;
  const name = text(input, 'Name') ?? '*';
  const arn = operation.endsWith('ScheduleGroup')
    ? `${prefix}:schedule-group/${name}`
    : `${prefix}:schedule/${text(input, 'GroupName') ?? 'default'}/${name}`;
  const resource = text(input, 'ResourceArn') ?? (operation.startsWith('List') ? '*' : arn);
  const target = input['Target'];
  const role =
    typeof target === 'object' && target !== null
      ? text(target as Record<string, unknown>, 'RoleArn')
      : undefined;
  return [
    requirement(question, `scheduler:${operation}`, resource),
    ...passRole(role, 'scheduler.amazonaws.com'),
  ];
};

/** Amazon EKS: clusters by name, node groups by name and an id, which no policy is written for. */
export const eksRule: ServiceRule = (question) => {
  const { operation, input, accountId, region } = question;
  const prefix = `arn:aws:eks:${region}:${accountId}`;
  const cluster = text(input, 'clusterName') ?? text(input, 'name') ?? '*';
  const nodegroup = text(input, 'nodegroupName');
  const isOfEntry = text(input, 'principalArn') !== undefined && operation !== 'CreateAccessEntry';
  if (isOfEntry) return [{ action: `eks:${operation}`, resource: `${prefix}:access-entry/${cluster}/*` }];
  const resource =
    nodegroup === undefined || operation === 'CreateNodegroup'
      ? `${prefix}:cluster/${cluster}`
      : `${prefix}:nodegroup/${cluster}/${nodegroup}/*`;
  return [{ action: `eks:${operation}`, resource }];
};

/** AWS IAM: roles and instance profiles by name. What concerns the account takes only `*`. The boundary is that of the request, else that of the role. */
export const iamRule: ServiceRule = ({ operation, input, accountId, lookup }) => {
  const role = text(input, 'RoleName');
  const profile = text(input, 'InstanceProfileName') ?? '*';
  const isOfAccount = operation.includes('OutboundWebIdentityFederation') || operation === 'ListRoles';
  const named =
    role === undefined
      ? `arn:aws:iam::${accountId}:instance-profile/${profile}`
      : `arn:aws:iam::${accountId}:role/${role}`;
  return [
    {
      action: `iam:${operation}`,
      resource: isOfAccount ? '*' : (text(input, 'PolicySourceArn') ?? named),
      context: {
        'iam:PermissionsBoundary':
          text(input, 'PermissionsBoundary') ?? (role === undefined ? undefined : lookup.roleBoundary(role)),
      },
    },
  ];
};

/** AWS Lambda: functions by name. GetAccountSettings takes only `*`. */
export const lambdaRule: ServiceRule = ({ operation, input, accountId, region }) => {
  const name = text(input, 'FunctionName');
  const named = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  return [{ action: `lambda:${operation}`, resource: name === undefined ? '*' : named }];
};

/** CloudWatch Logs: AWS asks for FilterLogEvents on the streams of the group, whichever they are. */
export const logsRule: ServiceRule = ({ operation, input, accountId, region }) => [
  {
    action: `logs:${operation}`,
    resource: `arn:aws:logs:${region}:${accountId}:log-group:${text(input, 'logGroupName') ?? '*'}:log-stream:`,
  },
];

/**
 * Amazon CloudWatch: DescribeAlarms is asked for on the alarms by their names, and on all of them if none is named ("Actions, resources, and
 * condition keys for Amazon CloudWatch"). SetAlarmState and DescribeAlarmHistory name one.
 */
export const monitoringRule: ServiceRule = ({ operation, input, accountId, region }) => [
  {
    action: `cloudwatch:${operation}`,
    resource: `arn:aws:cloudwatch:${region}:${accountId}:alarm:${text(input, 'AlarmName') ?? '*'}`,
  },
];

/** Amazon SNS: topics by ARN, or by the name that a new one is to have. */
export const snsRule: ServiceRule = (question) => {
  const { operation, input, accountId, region } = question;
  const name = text(input, 'Name');
  const named = name === undefined ? '*' : `arn:aws:sns:${region}:${accountId}:${name}`;
  const subscription = text(input, 'SubscriptionArn')?.split(':').slice(0, 6).join(':');
  const resource = text(input, 'TopicArn') ?? text(input, 'TargetArn') ?? subscription ?? named;
  return [requirement(question, `sns:${operation}`, resource)];
};

/** AWS STS: "No permissions are required to perform" GetCallerIdentity; AssumeRole is authorized on the role. */
export const stsRule: ServiceRule = (question) => {
  if (question.operation === 'GetCallerIdentity') return [];
  if (question.operation === 'GetWebIdentityToken') return webIdentityRequirements(question);
  const resource = text(question.input, 'RoleArn') ?? '*';
  return [requirement(question, `sts:${question.operation}`, resource)];
};

/** IAM user guide, "Controlling access with IAM policies" of outbound identity federation. Tags need a permission of their own. */
function webIdentityRequirements({ input }: RuleQuestion): readonly Requirement[] {
  const { DurationSeconds: seconds = 300 } = input;
  const tags = requestTagContext(records(input, 'Tags'));
  const context = {
    ...tags,
    'sts:IdentityTokenAudience': texts(input, 'Audience'),
    'sts:SigningAlgorithm': text(input, 'SigningAlgorithm'),
    'sts:DurationSeconds': typeof seconds === 'number' ? `${seconds}` : undefined,
  };
  return [
    { action: 'sts:GetWebIdentityToken', resource: '*', context },
    ...(Object.keys(tags).length > 0
      ? [{ action: 'sts:TagGetWebIdentityToken', resource: '*', context }]
      : []),
  ];
}

/** CloudFormation: stacks by name. The list of all stacks takes only `*`. */
export const cloudFormationRule: ServiceRule = ({ operation, input, accountId, region }) => {
  const name = text(input, 'StackName');
  const stack = `arn:aws:cloudformation:${region}:${accountId}:stack/${name}/*`;
  return [{ action: `cloudformation:${operation}`, resource: name === undefined ? '*' : stack }];
};
