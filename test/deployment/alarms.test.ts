import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDroverWorld } from '../../local/world/drover-world.ts';
import { resourcesWithAlarms } from '../../scripts/deployment/alarms.ts';
import type { Resources } from '../../scripts/deployment/template-plugin.ts';
import { kinds } from '../../shared/problems/kinds.ts';
import { operatorOf } from '../cli/operator.ts';

const packagedTemplate = (): { readonly Resources: Resources } =>
  JSON.parse(readFileSync('.serverless/cloudformation-template-update-stack.json', 'utf8'));

const names = {
  name: 'drover-prod',
  cluster: 'prod',
  extraAlarmTopic: 'arn:aws:sns:eu-west-1:123456789012:on-call',
};
const ownTopic = { Ref: 'AlarmTopic' };
const yourTopic = { 'Fn::If': ['HasExtraAlarmTopic', names.extraAlarmTopic, { Ref: 'AWS::NoValue' }] };

const alarm = (suffix: string, properties: object = {}): Resources => ({
  Alarm: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `drover-prod-${suffix}`,
      AlarmDescription: 'Something is wrong.',
      AlarmActions: [ownTopic],
      OKActions: [ownTopic],
      ...properties,
    },
  },
});

const propertiesOf = (resources: Resources) =>
  resourcesWithAlarms(resources, names)['Alarm']?.Properties ?? {};

describe('an alarm', () => {
  test('notifies your topic whenever it notifies the own one', () => {
    const properties = propertiesOf(alarm('pass-age', { InsufficientDataActions: [ownTopic] }));
    for (const list of ['AlarmActions', 'OKActions', 'InsufficientDataActions'])
      expect(properties[list]).toEqual([ownTopic, yourTopic]);
    expect(propertiesOf(alarm('pass-age'))).not.toHaveProperty('InsufficientDataActions');
  });

  test.each([
    ['pass-age', 'status'],
    ['leaving-dead-letters', 'redrive --dry-run'],
    ['etcd-problems', 'etcd status'],
    ['hold-problems', 'hold list'],
    ['certificate-conflicts', 'csr list'],
    ['sweep-errors', 'doctor'],
  ])('%s ends with the command that shows its cause', (suffix, command) => {
    expect(propertiesOf(alarm(suffix))['AlarmDescription']).toEqual({
      'Fn::Sub': `Something is wrong. Run drover ${command} --cluster prod --region \${AWS::Region}`,
    });
  });

  test('of no problem is refused', () => {
    expect(() => propertiesOf(alarm('new'))).toThrow(/no problem for the alarm new/);
  });
});

describe('each alarm of the deployment', () => {
  const alarms = Object.values(packagedTemplate().Resources).filter(
    ({ Type }) => Type === 'AWS::CloudWatch::Alarm',
  );
  const described = alarms.map(({ Properties = {} }) => ({
    name: String(Properties['AlarmName']),
    text: (Properties['AlarmDescription'] as { readonly 'Fn::Sub': string })['Fn::Sub'],
  }));

  test('is described by sentences and a command, within the limit of CloudWatch', () => {
    expect(described.length).toBeGreaterThan(20);
    for (const { name, text } of described) {
      expect(text, name).toMatch(
        /^[A-Za-z].*\. Run drover [a-z -]+ --cluster \S+ --region \$\{AWS::Region\}$/,
      );
      expect(text.length, name).toBeLessThan(1024);
      // An e-mail has no folder of ours.
      expect(text, name).not.toMatch(/docs\/|\.md\b/);
    }
  });

  test('names a command that exists, with flags that it takes', async () => {
    const drover = operatorOf(createDroverWorld());
    const commands = new Set(
      described.map(({ text }) => / Run drover ([a-z -]+?) --cluster/.exec(text)?.[1]),
    );
    for (const command of commands) {
      const { code, out } = await drover([...(command ?? '').split(' '), '--help']);
      expect(code, command).toBe(0);
      for (const flag of ['--cluster', '--region', ...(command?.match(/--[a-z-]+/g) ?? [])])
        expect(out, command).toContain(flag);
    }
  });

  test('belongs to a problem', () => {
    const known = Object.values(kinds).flatMap((kind) => ('alarms' in kind ? kind.alarms : []));
    for (const { name } of described) expect(known).toContain(name.replace(/^drover-dev-/, ''));
  });

  test('can publish: the topic has no policy that would have to name CloudWatch, and no key that CloudWatch may not use', () => {
    const resources = Object.values(packagedTemplate().Resources);
    const policies = resources.filter(({ Type }) => Type === 'AWS::SNS::TopicPolicy');
    expect(JSON.stringify(policies)).not.toContain('"AlarmTopic"');
    expect(packagedTemplate().Resources['AlarmTopic']?.Properties).not.toHaveProperty('KmsMasterKeyId');
  });
});

test('each log group that API Gateway writes to is under /aws/vendedlogs/, and an earlier one stays', () => {
  const groups = Object.values(packagedTemplate().Resources).filter(
    ({ Type, Properties }) =>
      Type === 'AWS::Logs::LogGroup' && !String(Properties?.['LogGroupName']).startsWith('/aws/lambda/'),
  );
  expect(groups.map(({ Properties }) => Properties?.['LogGroupName'])).toEqual([
    '/aws/vendedlogs/http-api/drover-dev',
    '/aws/vendedlogs/http-api/drover-dev-token-webhook',
  ]);
  for (const group of groups) expect(group).toMatchObject({ UpdateReplacePolicy: 'Retain' });
});
