import * as fc from 'fast-check';
import type { UrlPlan } from './signed-url.ts';

const often = <Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 14 * others.length, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );

/** What a client may sign, right or wrong, `signedAt` as seconds before now. */
export type DrawnPlan = Omit<UrlPlan, 'credentials' | 'signedAt'> & {
  readonly ageSeconds: number;
  readonly signer: 'user' | 'session' | 'stranger';
};

export const drawnPlan: fc.Arbitrary<DrawnPlan> = fc
  .record({
    host: often(
      'sts.eu-west-1.amazonaws.com',
      'sts.us-east-1.amazonaws.com',
      'sts-fips.us-east-1.amazonaws.com',
      'sts.eu-west-1.api.aws',
      'sts.amazonaws.com',
      'sts.eu-west-9.amazonaws.com',
      'sts.cn-north-1.amazonaws.com.cn',
      's3.eu-west-1.amazonaws.com',
    ),
    otherRegion: often(undefined, 'us-east-1', 'eu-central-1'),
    clusterId: often('prod', 'Prod', 'other'),
    ageSeconds: often(5, 0, 600, 930, 100_000, -60, -240, -600, -86_400),
    expires: often<string | undefined>('60', '0', '900', '901', '0060', '+60', '-1', '6e1', undefined),
    version: often<string | undefined>('2011-06-15', '2011-06-16', undefined),
    otherHeader: often<UrlPlan['otherHeader']>(undefined, ['accept', 'application/json'], ['x-evil', 'yes']),
    signer: often<DrawnPlan['signer']>('user', 'session', 'stranger'),
  })
  .map(({ otherRegion, ...plan }) => ({ ...plan, region: otherRegion ?? regionOf(plan.host) }));

const regionOf = (host: string): string =>
  /^sts(?:-fips)?\.([a-z]+-[a-z]+-\d)\./.exec(host)?.[1] ?? 'us-east-1';
