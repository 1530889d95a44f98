import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settle } from '../../local/deployment/settle.ts';
import { privateRelease } from '../support/released.ts';

const text = readFileSync('docs/deployment.md', 'utf8');
const [, section = ''] = /^## The role that deploys\n([^]*?)^## /m.exec(text) ?? [];
const { Statement: statements } = JSON.parse(/^```json\n([^]*?)^```/m.exec(section)?.[1] ?? '{}') as {
  readonly Statement: readonly { readonly Action: string | string[]; readonly Resource: string | string[] }[];
};
const patterns = [
  ...statements.flatMap(({ Resource }) => Resource),
  // The table names the services of the parts that need more.
  ...[...section.matchAll(/`(ec2|secretsmanager):\w+`/g)].map(([, service = '']) => `arn:aws:${service}:`),
];

/** The service in ARNs of a type of resource. */
const serviceOf = (type: string): string => {
  const name = type.split('::')[1] ?? '';
  return { ApiGatewayV2: 'apigateway' }[name] ?? name.toLowerCase();
};

/** The place of a resource's name in its ARN, for the resources that we name. */
const places: Readonly<Record<string, readonly [property: string, before: string]>> = {
  'AWS::Lambda::Function': ['FunctionName', 'function:'],
  'AWS::Logs::LogGroup': ['LogGroupName', 'log-group:'],
  'AWS::Events::Rule': ['Name', 'rule/'],
  'AWS::IAM::Role': ['RoleName', 'role/'],
  'AWS::SNS::Topic': ['TopicName', ''],
  'AWS::CloudWatch::Alarm': ['AlarmName', 'alarm:'],
  'AWS::CloudWatch::Dashboard': ['DashboardName', 'dashboard/'],
  'AWS::Scheduler::ScheduleGroup': ['Name', 'schedule-group/'],
};

const { resources: settled, pseudo } = await privateRelease({
  stackName: 'drover-STAGE',
  parameters: {
    Cluster: 'CLUSTER',
    TokenWebhook: 'on',
    NotificationEmail: 'people@example.com',
    ChatWebhookSecret: 'drover/chat',
  },
});
const resources = Object.values(
  settle(settled, { values: pseudo, conditions: {} }, 'the template') as Readonly<
    Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, unknown>> }>
  >,
);

/** Whether a pattern of ARNs matches this part after the account. */
const covers = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split(':').slice(5).join(':').replaceAll('*', '.*')}$`).test(name);

test('docs/deployment.md gives the role that deploys rights to each kind of resource of the stack, by its name', () => {
  const lacking = resources.filter(({ Type, Properties }) => {
    const [property = '', before = ''] = places[Type] ?? [];
    const name = `${before}${String(Properties[property])}`;
    const ofService = patterns.filter((pattern) => pattern.startsWith(`arn:aws:${serviceOf(Type)}:`));
    return !ofService.some((pattern) => property === '' || covers(pattern, name));
  });
  expect(lacking.map(({ Type, Properties }) => [Type, Properties])).toEqual([]);
});
