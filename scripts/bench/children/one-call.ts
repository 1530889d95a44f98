/** The smallest function that makes one call through the SDK: what cold starts are held against. */
import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';

const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;

/** As every function of Drover has it: the handler for a host. This one takes nothing of it. */
export const create = (): (() => Promise<unknown>) => {
  const client = new AutoScalingClient({ credentials: { accessKeyId, secretAccessKey } });
  return () => client.send(new DescribeAutoScalingGroupsCommand({}));
};

export const handler = (): Promise<unknown> => create()();
