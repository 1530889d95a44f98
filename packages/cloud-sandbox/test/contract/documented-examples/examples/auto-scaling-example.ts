import type { WireExample } from '../example.ts';

/** The example of an operation's own page. */
export const autoScalingExample = (
  operation: string,
  { input, ...about }: Omit<WireExample, 'service' | 'operation' | 'page'>,
): WireExample => ({
  ...about,
  service: 'autoscaling',
  operation,
  page: `https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_${operation}.html`,
  input,
});
