import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyDeployment, type DeploymentCopy } from '../support/osls.ts';

let copy: DeploymentCopy;
beforeAll(async () => {
  copy = await copyDeployment();
});
afterAll(() => copy[Symbol.asyncDispose]());

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, unknown>> }>
  >;
}

const topic = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const packageStage = async (yaml: string): Promise<Template['Resources']> =>
  ((await copy.packageStage(yaml)) as Template).Resources;
const actionsIn = (resources: Template['Resources']): readonly unknown[] =>
  Object.values(resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::CloudWatch::Alarm' ? [Properties['AlarmActions'], Properties['OKActions']] : [],
  );

/** Packages a stage with a topic, deployed to a region. */
async function packageIn(region: string, extraAlarmTopic: string) {
  await copy.writeStage('prod', `cluster: prod\nextraAlarmTopic: ${extraAlarmTopic}\n`);
  return await copy.run(['package', '--stage', 'prod'], { AWS_REGION: region });
}

describe('the receivers of alarms', () => {
  test('are by default who subscribes to the own topic', async () => {
    const resources = await packageStage('cluster: prod\n');
    expect(resources).not.toHaveProperty('AlarmEmailSubscription');
    for (const actions of actionsIn(resources)) expect(actions).toEqual([{ Ref: 'AlarmTopic' }]);
  });

  test('are an address and a topic too', async () => {
    const resources = await packageStage(
      `cluster: prod\nalarmEmail: ops@example.com\nextraAlarmTopic: ${topic}\n`,
    );
    expect(resources['AlarmEmailSubscription']?.Properties).toEqual({
      TopicArn: { Ref: 'AlarmTopic' },
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    for (const actions of actionsIn(resources)) expect(actions).toEqual([{ Ref: 'AlarmTopic' }, topic]);
  });

  test('are in the region of the stack: CloudWatch refuses others in the middle of a deploy', async () => {
    const refused = await packageIn('us-east-1', topic);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('extraAlarmTopic is in eu-west-1'),
    });
    expect((await packageIn('eu-west-1', topic)).code).toBe(0);
  });

  test.each([`${topic}.fifo`, 'on-call', 'arn:aws:sqs:eu-west-1:123456789012:on-call'])(
    'are not %s',
    async (wrong) => {
      const { code, output } = await packageIn('eu-west-1', wrong);
      expect(code).toBe(1);
      expect(output).toContain('extraAlarmTopic cannot be used: it takes the ARN of an SNS topic');
    },
  );
});
