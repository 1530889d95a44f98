import { type AutoScalingApi, autoScalingApi } from '../../../../../../shared/aws/api/auto-scaling-api.ts';
import type { WireExample } from '../example.ts';

type Operation = Parameters<AutoScalingApi['call']>[0];

/** The example of an operation's own page; what Drover passes is what the page's request says. */
export const autoScalingExample = (
  operation: Operation,
  { input, ...about }: Omit<WireExample, 'service' | 'operation' | 'page' | 'call'>,
): WireExample => ({
  ...about,
  service: 'autoscaling',
  operation,
  page: `https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_${operation}.html`,
  input,
  call: (connection) => autoScalingApi(connection).call(operation, input),
});
