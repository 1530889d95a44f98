import type { DescribeTargetHealthInput } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { AwsConnection } from '../connection.ts';
import { queryApi } from './query-api.ts';
import type { AwsApi } from './service.ts';

/** What is asked of Elastic Load Balancing, as in its API reference (version 2015-12-01). */
interface Inputs {
  readonly DescribeTargetHealth: DescribeTargetHealthInput;
}

const answers = {
  DescribeTargetHealth: { TargetHealthDescriptions: [{ TargetHealth: { State: 'string' } }] },
} as const;

export type LoadBalancingApi = AwsApi<Inputs, typeof answers>;

export const loadBalancingApi = (connection: AwsConnection): LoadBalancingApi =>
  queryApi<Inputs, typeof answers>({
    connection,
    name: 'elasticloadbalancing',
    version: '2015-12-01',
    dialect: 'query',
    answers,
  });
