import { expect, test } from 'vitest';
import { bundleCli } from '../../../scripts/build/cli.ts';
import { programFile } from '../../../scripts/build/cli-files.ts';
import { valuesFrom } from '../../../scripts/build/shaken-clients.ts';

test('the values that a source imports are known, and its types are left out', () => {
  const source = `import { DescribeInstancesCommand, EC2Client, type Instance } from '@aws-sdk/client-ec2';
import type { Tag } from '@aws-sdk/client-ec2';
import {
  type Change,
  GetChangeCommand,
} from '@aws-sdk/client-route-53';
`;
  expect(valuesFrom(source, '@aws-sdk/client-ec2')).toEqual(['DescribeInstancesCommand', 'EC2Client']);
  expect(valuesFrom(source, '@aws-sdk/client-route-53')).toEqual(['GetChangeCommand']);
});

test('the bundled CLI holds the operations of EC2 that Drover calls, and no others', async () => {
  const text = Buffer.from((await bundleCli()).files.get(programFile) ?? '').toString();
  expect(text).toContain('DescribeInstances');
  expect(text).not.toContain('CreateTransitGateway');
});
