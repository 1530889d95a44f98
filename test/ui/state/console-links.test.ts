import { describe, expect, it } from 'vitest';
import { consoleLinks } from '../../../ui/state/console-links.ts';

const of = (region?: string, stage?: string) =>
  consoleLinks({
    source: 'account',
    ...(region !== undefined && { region }),
    ...(stage !== undefined && { stage }),
  });

describe('links to the console of AWS', () => {
  it('lead to the instance, the group and the log of a function', () => {
    const links = of('eu-west-1', 'prod');
    expect(links?.instance('i-0123456789abcdef0')).toBe(
      'https://eu-west-1.console.aws.amazon.com/ec2/home?region=eu-west-1#InstanceDetails:instanceId=i-0123456789abcdef0',
    );
    expect(links?.group('a b/c')).toBe(
      'https://eu-west-1.console.aws.amazon.com/ec2/home?region=eu-west-1#AutoScalingGroupDetails:id=a%20b%2Fc',
    );
    expect(links?.log?.('node-leaving')).toBe(
      'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#logsV2:log-groups/log-group/$252Faws$252Flambda$252Fdrover-prod-node-leaving',
    );
  });

  it.each([
    ['cn-north-1', 'cn-north-1.console.amazonaws.cn'],
    ['us-gov-west-1', 'us-gov-west-1.console.amazonaws-us-gov.com'],
  ])('are those of the partition of %s', (region, host) => {
    expect(new URL(of(region)?.instance('i-1') ?? '').host).toBe(host);
  });

  it.each([undefined, '', 'evil.example/', 'eu-west-1.evil.example', 'EU-WEST-1', 'javascript:x'])(
    'are made of no region such as %s',
    (region) => {
      expect(of(region)).toBeUndefined();
    },
  );

  it('are not for the sandbox, which is in no account, and not for a log of an unknown stage', () => {
    expect(consoleLinks({ source: 'sandbox', region: 'eu-west-1' })).toBeUndefined();
    expect(of('eu-west-1')?.log).toBeUndefined();
  });
});
