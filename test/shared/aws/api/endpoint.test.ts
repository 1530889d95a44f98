import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import { regionalHost } from '../../../../shared/aws/api/endpoint.ts';
import { route53Endpoint } from '../../../../shared/aws/api/route53-endpoint.ts';

const regions = [
  'us-east-1 eu-west-1 ap-southeast-5 mx-central-1 me-south-1 af-south-1 ca-west-1 cn-north-1 cn-northwest-1',
  'us-gov-west-1 us-gov-east-1 us-iso-east-1 us-iso-west-1 us-isob-east-1 us-isof-south-1 eu-isoe-west-1',
  'eusc-de-east-1',
].flatMap((line) => line.split(' '));

it.each(regions)('of %s are where the SDK says', (region) => {
  const options = { UseDualStack: false, UseFIPS: false, Region: region };
  const hostOf = (client: AutoScalingClient | SSMClient | STSClient) =>
    client.config.endpointProvider({ ...options }).url.host;
  expect(regionalHost('autoscaling', region)).toBe(hostOf(new AutoScalingClient({ region })));
  expect(regionalHost('ssm', region)).toBe(hostOf(new SSMClient({ region })));
  expect(regionalHost('sts', region)).toBe(hostOf(new STSClient({ region })));
});

it.each(regions)(
  'Route 53 for %s is where the SDK says, and signed for the region that it says',
  (region) => {
    const options = { UseDualStack: false, UseFIPS: false, Region: region };
    const { url, properties } = new Route53Client({ region }).config.endpointProvider(options);
    const [scheme] = (properties?.['authSchemes'] ?? []) as { readonly signingRegion: string }[];
    expect(route53Endpoint(region)).toEqual({ host: url.host, signingRegion: scheme?.signingRegion });
  },
);
