import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alarmNamed, type TestableAlarm } from '../../../cli/test-alarm/alarms.ts';
import { outcomesOf } from '../../../cli/test-alarm/history.ts';
import { kindOfAction, refusalOf } from '../../../cli/test-alarm/judge.ts';

const topic = 'arn:aws:sns:eu-west-1:123456789012:alarms';
const alarm = (change: Partial<TestableAlarm> = {}): TestableAlarm => ({
  name: 'drover-prod-undelivered',
  description: '',
  state: 'OK',
  reason: '',
  actsAtAll: true,
  actions: [topic],
  ...change,
});

describe('an alarm is tested', () => {
  it('only if it is not raised, its actions are on, it has some, and none of them touches machines', () => {
    const arn = fc.constantFrom(
      topic,
      'arn:aws-cn:sns:cn-north-1:123456789012:alarms',
      'arn:aws:automate:eu-west-1:ec2:stop',
      'arn:aws:autoscaling:eu-west-1:123456789012:scalingPolicy:1:autoScalingGroupName/workers:policyName/p',
      'arn:aws:swf:eu-west-1:123456789012:action/actions/AWS_EC2.InstanceId.Reboot/1.0',
      'arn:aws:lambda:eu-west-1:123456789012:function:f',
    );
    const state = fc.constantFrom('OK', 'ALARM', 'INSUFFICIENT_DATA' as const);
    fc.assert(
      fc.property(fc.array(arn), state, fc.boolean(), (actions, now, actsAtAll) => {
        const isSafe = actions.every((action) => kindOfAction(action) !== 'machine');
        const isTested = now !== 'ALARM' && actsAtAll && actions.length > 0 && isSafe;
        expect(refusalOf(alarm({ actions, state: now, actsAtAll })) === undefined).toBe(isTested);
      }),
    );
  });

  it('not if its actions are turned off, and the refusal has the command that turns them on', () => {
    expect(refusalOf(alarm({ actsAtAll: false }))).toContain(
      'aws cloudwatch enable-alarm-actions --alarm-names drover-prod-undelivered',
    );
  });
});

describe('what became of an action', () => {
  const entry = (at: number, summary: string) => ({ at, summary });

  it('is read only from entries that the test has made, whatever this machine’s clock says', () => {
    const old = entry(5, `Successfully executed action ${topic}`);
    expect(outcomesOf([topic], [old], [old])).toEqual([{ action: topic, outcome: 'unknown' }]);
    const failed = entry(
      6,
      `Failed to execute action ${topic}. Received error: "CloudWatch Alarms does not have authorization to access the SNS topic encryption key."`,
    );
    const back = entry(7, `Successfully executed action ${topic}`);
    expect(outcomesOf([topic], [old], [back, failed, old])).toEqual([
      { action: topic, outcome: 'failed', reason: expect.stringContaining('encryption key') },
    ]);
  });

  it('is not that of a topic whose ARN begins the same way, nor of one that an error quotes', () => {
    const entries = [
      entry(1, `Successfully executed action ${topic}-2`),
      entry(2, `Failed to execute action ${topic}-3. Received error: "not on resource: ${topic}"`),
    ];
    expect(outcomesOf([topic, `${topic}-2`], [], entries)).toEqual([
      { action: topic, outcome: 'unknown' },
      { action: `${topic}-2`, outcome: 'published' },
    ]);
  });
});

describe('a name', () => {
  const alarms = ['drover-dev-undelivered', 'drover-dev-two-undelivered', 'drover-prod-undelivered'].map(
    (name) => alarm({ name }),
  );

  it('with that of its deployment needs no stage', () => {
    for (const { name } of alarms) expect(alarmNamed(name, alarms, undefined).name).toBe(name);
  });

  it('without it needs the stage if there are several, and does not mean a stage that begins the same way', () => {
    expect(() => alarmNamed('undelivered', alarms, undefined)).toThrow('--stage');
    expect(alarmNamed('undelivered', alarms, 'dev').name).toBe('drover-dev-undelivered');
    expect(() => alarmNamed('two-undelivered', alarms, 'dev')).toThrow('no alarm');
    expect(() => alarmNamed('drover-prod-undelivered', alarms, 'dev')).toThrow('no alarm');
  });
});
