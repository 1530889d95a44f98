import type { AwsConnection } from '../connection.ts';
import { queryApi } from './query-api.ts';
import type { AwsApi } from './service.ts';

/** What is asked of EC2; inputs and answers have the names of EC2's wire, which its API reference shows. */
interface Inputs {
  readonly DescribeInstances: { readonly InstanceId: readonly string[] };
}

export const instanceShape = {
  instanceId: 'string',
  instanceState: { name: 'string' },
  privateDnsName: 'string',
  privateIpAddress: 'string',
  ipv6Address: 'string',
  placement: { availabilityZone: 'string' },
  launchTime: 'date',
  instanceLifecycle: 'string',
  tagSet: [{ key: 'string', value: 'string' }],
} as const;

const answers = { DescribeInstances: { reservationSet: [{ instancesSet: [instanceShape] }] } } as const;

export type Ec2Api = AwsApi<Inputs, typeof answers>;

export const ec2Api = (connection: AwsConnection): Ec2Api =>
  queryApi<Inputs, typeof answers>({
    connection,
    name: 'ec2',
    version: '2016-11-15',
    dialect: 'ec2',
    answers,
  });
