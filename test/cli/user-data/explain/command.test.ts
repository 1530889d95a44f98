import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDroverWorld } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { createCliWorld } from '../../support.ts';

const documentedActions = (() => {
  const row =
    readFileSync('docs/cli.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('| `user-data` |')) ?? '';
  return [...row.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
})();

const script = '#!/bin/bash\n/etc/eks/bootstrap.sh prod --use-max-pods false\n';

describe('drover user-data explain', () => {
  it('reads the user data of an instance with the documented right', async () => {
    const world = createDroverWorld();
    const { Instances = [] } = world.account.ec2.operations.RunInstances({
      MinCount: 1,
      MaxCount: 1,
      InstanceType: 'm5.large',
      ImageId: 'ami-0123456789abcdef0',
      UserData: Buffer.from(script).toString('base64'),
    });
    const id = Instances[0]?.InstanceId ?? '';
    const { code, out } = await operatorOf(world, { actions: documentedActions })(`user-data explain ${id}`);
    expect([code, out]).toEqual([0, expect.stringContaining('/etc/eks/bootstrap.sh   prod')]);
    const denied = await operatorOf(world, { actions: [] })(`user-data explain ${id}`);
    expect([denied.code, denied.err]).toEqual([1, expect.stringContaining('ec2:DescribeInstanceAttribute')]);
  });

  it('reads a file, and standard input', async () => {
    const world = createCliWorld({ files: { 'a.sh': script } });
    const ofFile = await world.run('user-data', 'explain', '-f', 'a.sh', '--json');
    expect(JSON.parse(ofFile.out)).toMatchObject({ joins: [{ by: 'bootstrap.sh', cluster: 'prod' }] });
    const lines = async function* () {
      await Promise.resolve();
      yield* script.trimEnd().split('\n');
    };
    const piped = createCliWorld({ context: { inputLines: lines } });
    const ofPipe = await piped.run('user-data', 'explain', '-f', '-', '--json');
    expect(ofPipe.out).toBe(ofFile.out);
  });

  it.each([
    ['nothing to explain', [], 'give an instance, or a file with -f'],
    ['both', ['i-0123456789abcdef0', '-f', 'a.sh'], 'give an instance, or a file with -f'],
    ['a file that is not there', ['-f', 'missing'], 'the file missing cannot be read'],
    ['a file that is not user data', ['-f', 'huge'], 'that is not user data'],
    ['an id that is none', ['i-xyz'], 'there is no node i-xyz'],
  ])('refuses %s', async (_, words, message) => {
    const world = createCliWorld({ files: { 'a.sh': script, huge: 'x'.repeat(300_000) } });
    const { code, out, err } = await world.run('user-data', 'explain', ...words);
    expect([out, err]).toEqual(['', expect.stringContaining(message)]);
    expect(code).toBeGreaterThan(0);
  });
});
