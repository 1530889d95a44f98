import { readFile } from 'node:fs/promises';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { createSandbox } from '../../src/sandbox.ts';
import { countFileReads } from './count-file-reads.ts';

// While a file is read the sandbox seems idle, and simulated minutes pass.
it('a client of the AWS SDK in the sandbox reads no file', async () => {
  const { aws } = createSandbox();
  const reads = await countFileReads(async () => {
    await new SQSClient(aws()).send(new ListQueuesCommand({}));
    await new EC2Client(aws()).send(new DescribeInstancesCommand({}));
  });
  expect(reads).toBe(0);
  expect(await countFileReads(() => readFile(import.meta.filename))).toBeGreaterThan(0);
});
